/** Playing with keys. Single letters can be switched off in the settings (WCAG 2.1.4). */
import { settings } from '../app/settings.svelte.ts';
import { t } from '../i18n/i18n.svelte.ts';
import { trackOf } from '../game/position.ts';
import type { TableModel } from './model.svelte.ts';
import { optionWords, placeWithPeople, signName } from './words.ts';

export const KEYS_OF_ARROWS = 'ArrowRight ArrowLeft';

export interface KeyPlace {
  readonly model: TableModel;
  readonly undo: () => void;
  readonly hint?: (() => void) | undefined;
  readonly root: HTMLElement;
}

function typing(target: EventTarget | null): boolean {
  if (document.querySelector('dialog[open]')) return true;
  return target instanceof HTMLElement && target.closest('input, textarea, select') !== null;
}

/** Arrows go round what can be picked: places of the board, then cards of the hand. */
function step(root: HTMLElement, by: number): void {
  const stops = [...root.querySelectorAll<HTMLElement>('[data-place], [data-card]')];
  if (stops.length === 0) return;
  const at = stops.findIndex((stop) => stop === document.activeElement);
  stops[(at + by + stops.length + (at < 0 && by < 0 ? 1 : 0)) % stops.length]?.focus();
}

function readAloud(model: TableModel, what: string): string {
  const position = model.position;
  if (!position) return '';
  if (what === 'B')
    return trackOf(position.islands)
      .map((place) => placeWithPeople(position, place))
      .join('. ');
  if (what === 'H') {
    const cards = position.hands[model.viewer - 1]?.cards ?? [];
    return cards.length ? cards.map((card) => signName(position.family, card)).join(', ') : t('hand.none');
  }
  const legal = model.picks.choices.legal;
  return legal.length ? legal.map((option) => optionWords(position.family, option)).join('. ') : t('status.wait');
}

export function handleKey(event: KeyboardEvent, place: KeyPlace): void {
  if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
  const { model, root } = place;
  const done = (): void => event.preventDefault();
  if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') {
    done();
    return step(root, event.key === 'ArrowRight' ? 1 : -1);
  }
  // A key that is held down acts once: it must not end the turn of the next player, too.
  if (event.repeat) {
    if (event.key === 'Enter') done();
    return;
  }
  if (event.key === 'Escape') return model.picks.letGo();
  if (!settings.keys) return;
  // With the capitals locked a letter comes in upper case, and with Shift in lower case.
  const letter = event.key.toUpperCase();
  if (event.shiftKey && ['B', 'H', 'O'].includes(letter)) {
    done();
    model.announcement = readAloud(model, letter);
    return;
  }
  const action = event.shiftKey ? undefined : ACTIONS[event.key.toLowerCase()];
  if (action) {
    done();
    action(place);
  }
}

const ACTIONS: Readonly<Record<string, (place: KeyPlace) => void>> = {
  e: ({ model }) => model.picks.playKind('end'),
  s: ({ model }) => model.picks.playKind('sail'),
  u: ({ undo, model }) => model.picks.takeBack(undo),
  h: ({ hint, model }) => (hint ? hint() : model.picks.refuse(t('answer.no-hints'))),
};
for (let number = 1; number <= 9; number++) {
  Object.assign(ACTIONS, {
    [String(number)]: ({ model, root }: KeyPlace) => {
      const card = root.querySelectorAll<HTMLElement>('[data-card]')[number - 1]?.dataset['card'];
      if (card) model.picks.pickCard(card);
    },
  });
}
