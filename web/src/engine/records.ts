/** Records: a game as text or JSON that replays without a random generator, as `game/record.py` reads and writes it. */
import type { Engine } from './engine.ts';
import { fail, IllegalMove, UnknownVariant } from './errors.ts';
import { MOVE, type Position } from './notation.ts';
import { plainName, ruleSet, variantName } from './rulesets.ts';

const TAG = /^\[([A-Za-z][A-Za-z0-9_]{0,39}) "((?:[^"\\]|\\.)*)"\]$/s;
const TAG_NAME = /^[A-Za-z][A-Za-z0-9_]{0,39}$/;
const TOKEN = /\s*(?:([1-9][0-9]{0,6})\.(?=\s|$)|\{((?:[^}\\]|\\.)*)\}|([^\s{}]+))/suy;
const NUMBER = '-?[0-9]{1,25}(?:\\.[0-9]{1,25})?(?:e[-+]?[0-9]{1,3})?';
const EVAL = new RegExp(`^\\[%eval (${NUMBER}(?:,${NUMBER})*)\\] ?`);
const EVAL_MARK = '[%eval ';
const LINE = /([^\r\n]+)\s*/y;
const MOST = 4_000_000;
const DERIVED = ['Rules', 'Variant', 'Result'];

type Tags = Readonly<Record<string, string>>;

/** A move of a record with a comment and an evaluation, which has a number for each seat. */
export interface Entry {
  readonly move: string;
  readonly comment?: string;
  readonly eval?: readonly number[];
}

/** Escape line breaks, backslashes and the mark; `unescape` undoes it. */
const escape = (text: string, mark: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll(mark, `\\${mark}`).replaceAll('\n', '\\n').replaceAll('\r', '\\r');

const unescape = (text: string): string =>
  text.replace(/\\(.)/gs, (_, letter: string) => (letter === 'n' ? '\n' : letter === 'r' ? '\r' : letter));

/** A number as Python writes it, so that both write the same record. */
function written(value: number): string {
  const [digits = '', power = 0] = value.toExponential().split('e');
  const size = Number(power);
  if (size < -4 || size >= 16) return `${digits}e${size < 0 ? '-' : '+'}${String(Math.abs(size)).padStart(2, '0')}`;
  const text = Object.is(value, -0) ? '-0' : String(value);
  return text.includes('.') ? text : `${text}.0`;
}

/** An entry without empty parts. Throws for a comment or an evaluation that no record can hold. */
function entryOf({ move, comment = '', eval: value = [] }: Entry): Entry {
  if (!MOVE.test(move))
    fail(`'${move.slice(0, 40)}' is not a move; moves look like 17:B, 18<, 3@14, sail, drop:D, end, +D.`);
  if (typeof comment !== 'string' || !Array.isArray(value)) fail('a comment is a text and an eval a list of numbers');
  if (!value.every((each) => Number.isFinite(each))) fail('an eval is a list of finite numbers');
  return { move, ...(comment ? { comment } : {}), ...(value.length ? { eval: [...value] } : {}) };
}

/** A move with its comment and evaluation, as in PGN. */
function writeEntry({ move, comment = '', eval: value = [] }: Entry): string {
  const notes = value.length ? [`[%eval ${value.map(written).join(',')}]`] : [];
  const text = escape(comment, '}');
  if (text) notes.push(text.startsWith(EVAL_MARK) ? `\\${text}` : text);
  return notes.length ? `${move} {${notes.join(' ')}}` : move;
}

/** Split a record into its tags, the line of the opening, and the text of the moves. */
function readHead(whole: string): { tags: Tags; opening: string; rest: string } {
  const tags: Record<string, string> = {};
  const text = whole.trim();
  LINE.lastIndex = 0;
  for (let match = LINE.exec(text); match; match = LINE.exec(text)) {
    const line = (match[1] ?? '').trimEnd();
    const [found, name = '', value = ''] = TAG.exec(line) ?? [];
    if (found) tags[name] = unescape(value);
    else if (line.startsWith('[')) fail(`${line.slice(0, 40)} is not a tag like [Rules "jamaica-en"]`);
    else return { tags, opening: line, rest: text.slice(LINE.lastIndex) };
  }
  return fail('a record has an opening position after its tags');
}

/** Read the moves with their comments. Turn numbers are skipped. */
function readEntries(whole: string): Entry[] {
  const text = whole.trimEnd();
  const found: { move: string; notes: string[] }[] = [];
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < text.length;) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    const unread = text.slice(at, at + 60).trim();
    const [, , note, move] = match ?? fail(`'${unread.slice(0, 30)}' is neither a move nor a comment`);
    if (move !== undefined) found.push({ move, notes: [] });
    else if (note !== undefined)
      (found.at(-1) ?? fail(`'${note.slice(0, 30)}' is a comment with no move before it`)).notes.push(note);
  }
  return found.map(({ move, notes }) => annotated(move, notes));
}

/** Join the comments after a move. The last of several evaluations counts. */
function annotated(move: string, notes: readonly string[]): Entry {
  let values = '';
  const comments = notes.map((note) => {
    const match = note.startsWith(EVAL_MARK) ? EVAL.exec(note) : null;
    values = match?.[1] ?? values;
    return unescape(match ? note.slice(match[0].length) : note);
  });
  return { move, comment: comments.filter(Boolean).join(' '), eval: values ? values.split(',').map(Number) : [] };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function checkedTags(tags: unknown): Tags {
  if (!isObject(tags) || !Object.values(tags).every((value) => typeof value === 'string'))
    return fail('tags must be an object of texts');
  if (!Object.keys(tags).every((name) => TAG_NAME.test(name)))
    fail("a tag's name is letters, digits and _, starting with a letter");
  return tags as Tags;
}

/** A game as it was played: the opening, the moves with their dealt cards, and tags. The moves are replayed. */
export class GameRecord {
  /** The tags. `Rules` and `Result` follow from the game, whatever is given. */
  readonly tags: Tags;
  readonly moves: readonly Entry[];
  /** The opening, then the position after each move. */
  readonly positions: readonly [Position, ...Position[]];

  constructor(
    private readonly engine: Engine,
    opening: Position | string,
    moves: Iterable<Entry | string> = [],
    tags: Tags = {},
  ) {
    const positions: [Position, ...Position[]] = [typeof opening === 'string' ? engine.parse(opening) : opening];
    this.moves = [...moves].map((each) => entryOf(typeof each === 'string' ? { move: each } : each));
    this.moves.forEach(({ move }, number) => {
      const last = this.moves[number - 1];
      // A record may go on after a becalmed position: games did before that ruling. Only the last move ends the game.
      if (last && engine.winner(positions[number] as Position) !== undefined)
        positions[number] = engine.applyOn(positions[number - 1] as Position, last.move);
      positions.push(this.played(positions[number] as Position, move, number + 1));
    });
    this.positions = positions;
    const rest = Object.entries(checkedTags(tags)).filter(([name]) => !DERIVED.includes(name));
    const result = String(engine.winner(this.final) ?? '*');
    const { rules } = positions[0];
    const own = rules.edition.variant?.text;
    const named = { Rules: plainName(rules), ...(own ? { Variant: own } : {}) };
    this.tags = { ...named, ...Object.fromEntries(rest), Result: result };
  }

  get opening(): Position {
    return this.positions[0];
  }

  /** The position after the last move. */
  get final(): Position {
    return this.positions.at(-1) ?? this.positions[0];
  }

  /** Read a record, text or JSON. Throws NotationError or IllegalMove. */
  static parse(engine: Engine, whole: string): GameRecord {
    if (whole.length > MOST) fail(`a record has at most ${MOST} characters`);
    const text = whole.replace(/^\uFEFF+/, '');
    if (text.trimStart().startsWith('{')) return GameRecord.fromJSON(engine, parsedJson(text));
    const { tags, opening, rest } = readHead(text);
    return GameRecord.checked(engine, opening, readEntries(rest), tags);
  }

  /** Read a record from the data that `toJSON` gives. */
  static fromJSON(engine: Engine, data: unknown): GameRecord {
    if (!isObject(data) || typeof data['opening'] !== 'string')
      return fail('a record in JSON is an object with tags, opening and moves');
    const { tags = {}, moves = [] } = data;
    if (!Array.isArray(moves)) return fail('moves must be a list');
    const entries = (moves as unknown[]).map((item) =>
      isObject(item) && typeof item['move'] === 'string'
        ? (item as unknown as Entry)
        : fail('each move is an object with a text move'),
    );
    return GameRecord.checked(engine, data['opening'], entries, checkedTags(tags));
  }

  /** Make a record whose tags say what was played. */
  private static checked(engine: Engine, opening: string, moves: readonly Entry[], tags: Tags): GameRecord {
    const record = new GameRecord(engine, openingText(engine, opening, tags), moves, tags);
    const { Rules: rules = '', Result: result = '' } = record.tags;
    const given = tags['Rules'] ?? rules;
    if (ruleSet(engine.program.data, given).name !== rules)
      fail(`the tag Rules says ${given.slice(0, 40)}, the opening ${rules}`);
    const unended = engine.isBecalmed(record.final) ? '*' : result; // such a game went on before that ruling
    if (![result, unended].includes(tags['Result'] ?? result))
      fail(`the tag Result says ${tags['Result']?.slice(0, 20)}, the moves ${result}`);
    return record;
  }

  toJSON(): { tags: Tags; opening: string; moves: readonly Entry[] } {
    return { tags: this.tags, opening: this.openingText, moves: this.moves };
  }

  toString(): string {
    const tags = Object.entries(this.tags).map(([name, value]) => `[${name} "${escape(value, '"')}"]`);
    const turns = this.turns().map((turn, number) => `${number + 1}. ${turn.map(writeEntry).join(' ')}`);
    return [...tags, '', this.openingText, ...(turns.length ? ['', ...turns] : []), ''].join('\n');
  }

  /** The opening in notation, with the name of the base where the rules are one's own. */
  private get openingText(): string {
    return this.engine.format(this.opening).replace(this.opening.rules.name, plainName(this.opening.rules));
  }

  /** The moves turn by turn. Each turn but the last ends with `end`. */
  turns(): Entry[][] {
    const turns: Entry[][] = [[]];
    for (const entry of this.moves) {
      turns.at(-1)?.push(entry);
      if (entry.move === 'end') turns.push([]);
    }
    return turns.filter((turn) => turn.length > 0);
  }

  private played(position: Position, move: string, number: number): Position {
    try {
      return this.engine.apply(position, move);
    } catch (error) {
      if (!(error instanceof IllegalMove)) throw error;
      throw new IllegalMove(`move ${number}, ${move}: ${error.message}`, error.code);
    }
  }
}

/** The opening as the engine reads it: rules of one's own have a name in this page. */
function openingText(engine: Engine, text: string, { Variant: tag }: Tags): string {
  if (tag === undefined) return text;
  const [first = '', ...rest] = text.trim().split(' ');
  const name = variantName(first, tag);
  const known = engine.program.data.editions[name]?.variant;
  if (!known) throw new UnknownVariant(tag);
  if (ruleSet(engine.program.data, first).name !== known.rules)
    fail(`the tag Variant says ${known.rules}, the opening ${first.slice(0, 40)}`);
  return [name, ...rest].join(' ');
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return fail('the record is not valid JSON');
  }
}
