/** Messages in seven languages. English comes with the page, the others when they are chosen. */
import { keep, settings } from '../app/settings.svelte.ts';
import { en, parts, type Key, type KeyIn, type Part, type Texts } from './en/index.ts';
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

type Words = Readonly<Record<string, string>>;

/** What a language's folder holds: the words of every page, and those of the screens that need more, by file. */
interface Folder {
  readonly catalogue: Words;
  readonly parts: Readonly<Record<string, () => Promise<Words>>>;
}

const ENGLISH: Folder = { catalogue: en, parts };
const PSEUDO = 'x-pseudo';

/** A language's files are named in its own folder, so that the page's script grows by one line a language. */
const LOADERS: Readonly<Record<string, () => Promise<Folder>>> = {
  en: () => Promise.resolve(ENGLISH),
  de: () => import('./de/index.ts'),
  es: () => import('./es/index.ts'),
  fr: () => import('./fr/index.ts'),
  it: () => import('./it/index.ts'),
  nl: () => import('./nl/index.ts'),
  sv: () => import('./sv/index.ts'),
  [PSEUDO]: () => Promise.resolve(ENGLISH),
};

/** The words of a language: those of every page and those of some parts. */
async function wordsOf(code: string, wanted: Iterable<Part>): Promise<Words> {
  const folder = await LOADERS[code]?.();
  const more = await Promise.all([...wanted].map((part) => folder?.parts[`./${part}.ts`]?.()));
  const words = Object.assign({}, folder?.catalogue, ...more) as Words;
  return code === PSEUDO ? (await import('./pseudo.ts')).pseudo(words) : words;
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
    const learning = wordsOf(this.wanted, [part]).then(() => this.speak(this.wanted));
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
      const words = await wordsOf(code, this.parts.keys());
      if (turn !== this.turns) return;
      this.catalogue = words;
      this.code = code;
      document.documentElement.lang = this.grammar;
    } catch (error) {
      if (turn === this.turns) this.wanted = this.code;
      throw error;
    }
  }

  /** The language whose plurals and dates are spoken. */
  get grammar(): string {
    return this.code === PSEUDO ? 'en' : this.code;
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
