/** From choices to what the board shows: marks and trails. Words are passed in for testing. */
import type { Mark, Trail } from '../board/marks.ts';
import type { Place } from '../game/position.ts';
import type { NearMiss, Option } from '../net/wire.ts';
import { openMoves, type Choices, type Selection } from './choices.ts';

export interface Wording {
  readonly option: (option: Option) => string;
  readonly miss: (miss: NearMiss) => string;
  readonly pick: string;
  readonly chosen: string;
}

/** The seat whose pirate a move moves. */
export const crewOf = ({ move }: Pick<Option, 'move'>, mover: number): number => move.seat ?? mover;

/** Items by what they have in common, such as a place; those without it are left out. */
function grouped<T>(items: readonly T[], keyOf: (item: T) => string | null | undefined): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key) groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
}

function targetMark(place: Place, options: readonly Option[], words: Wording): Mark {
  const brings = Math.max(...options.map((option) => option.cards));
  return {
    place,
    kind: 'target',
    label: options.map(words.option).join('; '),
    badge: brings > 0 ? `+${brings}` : undefined,
    cards: options.flatMap((option) => (option.move.card ? [option.move.card] : [])),
  };
}

export function marksFor(selection: Selection, choices: Choices, words: Wording, mover = 1): Mark[] {
  const open = openMoves(selection, choices.legal);
  const sources = grouped(selection.kind === 'place' ? choices.legal : open, (option) => option.move.from);
  const marks: Mark[] = [];
  for (const [place, options] of sources) {
    const chosen = selection.kind === 'place' && selection.place === place;
    const crews = [...new Set(options.map((option) => crewOf(option, mover)))];
    marks.push({ place, kind: chosen ? 'chosen' : 'source', crews, label: chosen ? words.chosen : words.pick });
  }
  if (selection.kind !== 'none') {
    for (const [place, options] of grouped(open, (option) => option.to)) marks.push(targetMark(place, options, words));
  }
  for (const [place, misses] of grouped(choices.illegal, (miss) => miss.move.from)) {
    if (marks.some((mark) => mark.place === place)) continue;
    marks.push({ place, kind: 'ask', label: words.miss(misses[0] as NearMiss) });
  }
  return marks;
}

/** The pirates among which the person chooses; none where one pirate is meant with one of several cards. */
export function choicesAmong(among: readonly Option[], words: Pick<Wording, 'option'>, mover: number): Mark[] {
  const pirates = grouped(among, (option) => `${option.move.from} ${crewOf(option, mover)}`);
  if (pirates.size < 2) return [];
  return [...pirates.values()].flatMap(([first, ...more]): Mark[] =>
    first?.move.from
      ? [
          {
            place: first.move.from,
            kind: 'choice',
            crews: [crewOf(first, mover)],
            label: [first, ...more].map(words.option).join('; '),
          },
        ]
      : [],
  );
}

export function trailsFor(selection: Selection, legal: readonly Option[], mover = 1): Trail[] {
  if (selection.kind === 'none') return [];
  const seen = new Set<string>();
  return openMoves(selection, legal).flatMap((option) => {
    const key = `${option.move.from}-${option.to}`;
    if (seen.has(key) || !option.move.from || !option.to) return [];
    seen.add(key);
    return [{ from: option.move.from, to: option.to, kind: 'preview' as const, crew: crewOf(option, mover) }];
  });
}

/** The ways of moves that are advised, as arrows with their cards. */
export function adviceTrails(options: readonly Pick<Option, 'move' | 'to'>[], mover: number): Trail[] {
  return options.flatMap((option): Trail[] => {
    const { move, to } = option;
    if (!move.from || !to) return [];
    const crew = crewOf(option, mover);
    return [{ from: move.from, to, kind: 'hint', seat: mover, crew, played: move.card ?? undefined }];
  });
}
