/** Messages in four languages. English comes with the page, the others when they are chosen. */
import { keep, settings } from '../app/settings.svelte.ts';
import { en, type Catalogue, type Key } from './en/index.ts';
import { format, parse, type Params } from './message.ts';
import { pseudo } from './pseudo.ts';

export const LANGUAGES = { en: 'English', de: 'Deutsch', nl: 'Nederlands', sv: 'Svenska' } as const;
export type Language = keyof typeof LANGUAGES;

const LOADERS: Readonly<Record<string, () => Promise<Catalogue>>> = {
  en: () => Promise.resolve(en),
  de: async () => (await import('./de/index.ts')).de,
  nl: async () => (await import('./nl/index.ts')).nl,
  sv: async () => (await import('./sv/index.ts')).sv,
  'x-pseudo': () => Promise.resolve(pseudo(en)),
};

class Speech {
  code: string = $state('en');
  private catalogue: Catalogue = $state.raw(en);
  private wanted = '';

  readonly t = (key: Key, params: Params = {}): string => format(parse(this.catalogue[key]), params, this.grammar);

  /** Speak another language once its words are here, unless yet another was chosen meanwhile. */
  async choose(code: string): Promise<void> {
    this.wanted = code in LOADERS ? code : 'en';
    const wanted = this.wanted;
    const catalogue = await LOADERS[wanted]?.().catch(() => undefined);
    if (catalogue === undefined || wanted !== this.wanted) return;
    this.catalogue = catalogue;
    this.code = wanted;
    document.documentElement.lang = this.grammar;
  }

  /** The language whose plurals are spoken. */
  private get grammar(): string {
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

/** Whether there is a sentence for this key: codes that come from the server may be newer than the client. */
export function has(key: string): key is Key {
  return key in en;
}

export async function startLanguage(): Promise<void> {
  await speech.choose(settings.language || preferred(navigator.languages));
}

export async function chooseLanguage(code: string): Promise<void> {
  keep({ language: code });
  await speech.choose(code);
}
