/** Messages in seven languages. English comes with the page, the others when they are chosen. */
import { keep, settings } from '../app/settings.svelte.ts';
import { en, type Catalogue, type Key, type KeyIn, type Part, type Texts } from './en/index.ts';
import { format, parse, type Given } from './message.ts';

export const LANGUAGES = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  it: 'Italiano',
  nl: 'Nederlands',
  sv: 'Svenska',
} as const;
export type Language = keyof typeof LANGUAGES;

const LOADERS: Readonly<Record<string, () => Promise<Catalogue>>> = {
  en: () => Promise.resolve(en),
  de: async () => (await import('./de/index.ts')).de,
  es: async () => (await import('./es/index.ts')).es,
  fr: async () => (await import('./fr/index.ts')).fr,
  it: async () => (await import('./it/index.ts')).it,
  nl: async () => (await import('./nl/index.ts')).nl,
  sv: async () => (await import('./sv/index.ts')).sv,
  'x-pseudo': async () => (await import('./pseudo.ts')).pseudo(en),
};

type Words = Readonly<Record<string, string>>;

/** Words that are fetched with the screens that need them, by file. */
const PARTS = import.meta.glob<Words>('./*/{coach,learn,puzzles,review}.ts', { import: 'words' });

async function wordsOf(code: string, part: Part): Promise<Words> {
  const made = code === 'x-pseudo';
  const words = (await PARTS[`./${made ? 'en' : code}/${part}.ts`]?.()) ?? {};
  return made ? (await import('./pseudo.ts')).pseudo(words) : words;
}

class Speech {
  code: string = $state('en');
  private catalogue: Words = $state.raw(en);
  private wanted = 'en';
  private turns = 0;
  private readonly parts = new Map<Part, Promise<void>>();

  readonly t = <K extends Key>(key: K, ...[params]: Given<Texts[K]>): string =>
    format(parse(this.catalogue[key] ?? key), params ?? {}, this.grammar);

  /** The message of a key, which may be unknown. */
  message(key: string): string | undefined {
    return this.catalogue[key];
  }

  /** Speak another language once its words are here, unless yet another was chosen meanwhile. */
  async choose(code: string): Promise<void> {
    await this.speak(code in LOADERS ? code : 'en').catch(() => undefined);
  }

  /** Fetch the words of a part, in this language and in those chosen later. Throws where they cannot be fetched. */
  learn(part: Part): Promise<void> {
    const known = this.parts.get(part);
    if (known) return known;
    const learning = wordsOf(this.wanted, part).then(() => this.speak(this.wanted));
    this.parts.set(part, learning);
    return learning.catch((error: unknown) => {
      this.parts.delete(part);
      throw error;
    });
  }

  private async speak(code: string): Promise<void> {
    this.wanted = code;
    const turn = ++this.turns;
    try {
      const words = await Promise.all([
        LOADERS[code]?.(),
        ...[...this.parts.keys()].map((part) => wordsOf(code, part)),
      ]);
      if (turn !== this.turns) return;
      this.catalogue = Object.assign({}, ...words) as Words;
      this.code = code;
      document.documentElement.lang = this.grammar;
    } catch (error) {
      if (turn === this.turns) this.wanted = this.code;
      throw error;
    }
  }

  /** The language whose plurals and dates are spoken. */
  get grammar(): string {
    return this.code === 'x-pseudo' ? 'en' : this.code;
  }
}

/** The first of the browser's languages that we speak. */
export function preferred(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const code = tag.slice(0, 2).toLowerCase();
    if (code in LANGUAGES) return code as Language;
  }
  return 'en';
}

export const speech = new Speech();
export const t = speech.t;

/** The key for a code of the server, which may be newer than the client. */
export function keyFor<Group extends string>(group: Group, code: string): KeyIn<Group> | undefined {
  const key = `${group}.${code}`;
  return speech.message(key) === undefined ? undefined : (key as KeyIn<Group>);
}

/** The sentence for a code of the server, if there is one that nothing has to be put into. */
export function wordsFor(group: string, code: string): string | undefined {
  const message = parse(speech.message(`${group}.${code}`) ?? '');
  return message.length && message.every((part) => typeof part === 'string') ? message.join('') : undefined;
}

export async function startLanguage(): Promise<void> {
  await speech.choose(settings.language || preferred(navigator.languages));
}

export async function chooseLanguage(code: string): Promise<void> {
  keep({ language: code });
  await speech.choose(code);
}
