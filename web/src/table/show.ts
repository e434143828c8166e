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

function byPlace<T>(items: readonly T[], place: (item: T) => Place | null | undefined): Map<Place, T[]> {
  const groups = new Map<Place, T[]>();
  for (const item of items) {
    const at = place(item);
    if (at) groups.set(at, [...(groups.get(at) ?? []), item]);
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

export function marksFor(selection: Selection, choices: Choices, words: Wording): Mark[] {
  const open = openMoves(selection, choices.legal);
  const sources = byPlace(selection.kind === 'place' ? choices.legal : open, (option) => option.move.from);
  const marks: Mark[] = [];
  for (const place of sources.keys()) {
    const chosen = selection.kind === 'place' && selection.place === place;
    marks.push({ place, kind: chosen ? 'chosen' : 'source', label: chosen ? words.chosen : words.pick });
  }
  if (selection.kind !== 'none') {
    for (const [place, options] of byPlace(open, (option) => option.to)) marks.push(targetMark(place, options, words));
  }
  for (const [place, misses] of byPlace(choices.illegal, (miss) => miss.move.from)) {
    if (marks.some((mark) => mark.place === place)) continue;
    marks.push({ place, kind: 'ask', label: words.miss(misses[0] as NearMiss) });
  }
  return marks;
}

export function trailsFor(selection: Selection, legal: readonly Option[]): Trail[] {
  if (selection.kind === 'none') return [];
  const seen = new Set<string>();
  return openMoves(selection, legal).flatMap((option) => {
    const key = `${option.move.from}-${option.to}`;
    if (seen.has(key) || !option.move.from || !option.to) return [];
    seen.add(key);
    return [{ from: option.move.from, to: option.to, kind: 'preview' as const }];
  });
}
