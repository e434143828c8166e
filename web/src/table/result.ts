/** The result of a game in words, for its banner and its card. */
import { SPOTS, type Position } from '../game/position.ts';
import { t } from '../i18n/i18n.svelte.ts';
import type { Outcome } from '../net/wire.ts';
import type { TableModel } from './model.svelte.ts';
import { capital } from './words.ts';

/** How many pirates of a crew are home. */
export function homeOf({ family, pirates }: Position, seat: number): number {
  const goal = family === 'nest' ? SPOTS.nest : SPOTS.sloop;
  return (pirates[seat - 1] ?? []).filter((place) => place === goal).length;
}

/** The crews with the number of their pirates at home: the winner first, then those with most. */
export function standingsOf({ position, seats }: TableModel, { winner }: Outcome) {
  return seats
    .map(({ seat }) => ({ seat, home: position ? homeOf(position, seat) : 0 }))
    .sort((a, b) => Number(b.seat === winner) - Number(a.seat === winner) || b.home - a.home);
}

/** Who has won, with the score between two. */
export function headlineOf(model: TableModel, outcome: Outcome): string {
  const { winner, how } = outcome;
  if (winner === null) return capital(t('over.draw'));
  const isMine = winner === model.addressee;
  const name = model.plainName(winner);
  const standings = standingsOf(model, outcome);
  if (how !== 'home' || standings.length > 2) return capital(isMine ? t('over.you') : t('over.won', { name }));
  const [own = 0, other = 0] = standings.map(({ home }) => home);
  return capital(isMine ? t('over.you.score', { own, other }) : t('over.won.score', { name, own, other }));
}

/** The seat that has resigned: that of the reader, or else the last one; nothing where the game ended otherwise. */
export function resignedOf({ seats, log, addressee }: TableModel, { how }: Outcome): number | undefined {
  if (how !== 'resigned') return undefined;
  if (seats[addressee - 1]?.resigned) return addressee;
  const last = log.findLast(({ type }) => type === 'resigned')?.seat;
  return last ?? seats.find(({ resigned }) => resigned)?.seat;
}

/** Why it ended, where that is not plain; else empty. */
export function reasonOf(model: TableModel, outcome: Outcome): string {
  if (outcome.how === 'deadlock') return t('over.why.deadlock');
  if (outcome.how === 'becalmed') return t('over.why.becalmed');
  const resigned = resignedOf(model, outcome);
  if (!resigned) return '';
  const isMine = resigned === model.addressee;
  if (model.isLate(resigned))
    return isMine ? t('over.why.late.you') : capital(t('over.why.late', { name: model.plainName(resigned) }));
  return isMine ? t('over.why.you') : capital(t('over.why.resigned', { name: model.plainName(resigned) }));
}
