/**
 * Variations in a record: `[%line 17:B +D end]` in the comment of a move names moves that are played instead of it, dealt
 * cards included. Other programs keep them, since they are comments.
 */
const LINE = /\[%line ([^\]]*)\] ?/g;
const REVIEW = /(?:^|\s)\[%review [^\]]*\]/g;

export interface Comment {
  /** What people wrote. */
  readonly words: string;
  /** The variations, each as moves in notation. */
  readonly lines: readonly (readonly string[])[];
}

/** The parts of a comment. The remark of an earlier review is left out, since a review says it anew. */
export function readComment(comment: string): Comment {
  const lines = [...comment.matchAll(LINE)].map(([, moves = '']) => moves.split(' ').filter(Boolean));
  const words = comment.replace(LINE, ' ').replace(REVIEW, '').replace(/ {2,}/g, ' ').trim();
  return { words, lines: lines.filter((moves) => moves.length > 0) };
}

/** The comment with these parts. Words that look like one of our marks lose their bracket. */
export function writeComment({ words, lines }: Comment, remark = ''): string {
  const marks = lines.map((moves) => `[%line ${moves.join(' ')}]`);
  return [words.replace(/\[%(?=(?:line|review) )/g, '%').trim(), ...marks, remark].filter(Boolean).join(' ');
}
