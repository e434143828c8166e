/** The coach at a visit to a table: it is fetched when it is wanted for the first time. */
import { speech, t } from '../i18n/i18n.svelte.ts';
import { Refused } from '../net/api.ts';
import { adviceTrails } from '../table/show.ts';
import type { TableVisit } from '../table/visit.svelte.ts';
import { failureWords } from '../table/words.ts';
import type { Coach } from './coach.svelte.ts';

export class Coached {
  /** The coach, where one is wanted and here. */
  coach: Coach | undefined = $state.raw();
  private wanted = false;

  constructor(private readonly visit: TableVisit) {}

  /** Let a coach help, or send it away. */
  async want(wanted: boolean): Promise<void> {
    this.wanted = wanted;
    if (!wanted) return this.take(undefined);
    if (this.coach) return;
    try {
      const [{ Coach }, engine] = await Promise.all([
        import('./coach.svelte.ts'),
        import('../local/engine.ts'),
        speech.learn('coach'),
      ]);
      await engine.loaded();
      if (!this.coach && this.wanted) this.take(new Coach(engine.mind));
    } catch (error) {
      this.visit.model.picks.refuse(error instanceof Refused ? failureWords(error) : t('error.load.text'));
    }
  }

  /** Draw the better turn on the board while the coach speaks of it. */
  draw(): void {
    const told = this.coach?.question ?? this.coach?.lesson;
    const { picks, viewer } = this.visit.model;
    picks.advice = told && told.kind !== 'same' ? adviceTrails(told.advice.options, viewer) : [];
  }

  private take(coach: Coach | undefined): void {
    if (coach === this.coach) return;
    this.coach = coach;
    this.visit.advise(coach);
  }
}
