import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { en } from '../src/i18n/en/index.ts';
import { speech, t } from '../src/i18n/i18n.svelte.ts';
import { format, numberText, parse, slotsOf } from '../src/i18n/message.ts';
import { mangle } from '../src/i18n/pseudo.ts';

const CATALOGUES = import.meta.glob<Record<string, string>>('../src/i18n/*/index.ts', {
  import: 'catalogue',
  eager: true,
});
/** The words that are fetched with the screens that need them, by file. */
const PARTS = import.meta.glob<Record<string, string>>('../src/i18n/*/*.ts', { import: 'words', eager: true });
const partsOf = (language: string): Record<string, string> =>
  Object.assign(
    {},
    ...Object.entries(PARTS).flatMap(([path, words]) => (path.includes(`/${language}/`) ? [words] : [])),
  );

const ENGLISH: Record<string, string> = { ...en, ...partsOf('en') };
const OTHERS: Record<string, Record<string, string>> = Object.fromEntries(
  ['de', 'es', 'fr', 'it', 'nl', 'sv'].map((language) => [
    language,
    { ...CATALOGUES[`../src/i18n/${language}/index.ts`], ...partsOf(language) },
  ]),
);
const ALL: Record<string, Record<string, string>> = { en: ENGLISH, ...OTHERS };
const LANGUAGES = Object.keys(ALL);
const places = (text: string): string[] => [...new Set(slotsOf(parse(text)).map((slot) => slot.name))].sort();
const entries = (language: string): [string, string][] => Object.entries(ALL[language] ?? {});

test.each(Object.keys(OTHERS))('%s has every key, nothing more, and the places of the English message', (language) => {
  const other = OTHERS[language] ?? {};
  expect(Object.keys(other).sort()).toEqual(Object.keys(ENGLISH).sort());
  for (const [key, text] of Object.entries(ENGLISH)) {
    expect(places(other[key] ?? ''), key).toEqual(places(text));
    expect(other[key], key).not.toBe('');
  }
});

test.each(Object.keys(OTHERS))('%s is translated, not copied', (language) => {
  const other = OTHERS[language] ?? {};
  const same = Object.entries(ENGLISH).filter(
    ([key, text]) => other[key] === text && text.replace(/\{.*\}/, '').split(' ').length > 3,
  );
  expect(same).toEqual([]);
});

/** The keys of narrow lists, the most characters of their answers, and how many answers there are. */
const NARROW: [RegExp, number, number][] = [
  [/^absence\./, 24, 5],
  [/^open\.(game\.all|clock\.(any|with|without))$/, 16, 4],
];

test.each(LANGUAGES)('in %s the answers of a narrow list fit into it', (language) => {
  for (const [keys, most, count] of NARROW) {
    const answers = entries(language).filter(([key]) => keys.test(key));
    expect([answers.length, answers.filter(([, text]) => text.length > most)]).toEqual([count, []]);
  }
});

test('numbers are written as the language writes them', () => {
  expect(['en', 'de', 'fr', 'sv'].map((language) => numberText(1.94, language, 1))).toEqual([
    '1.9',
    '1,9',
    '1,9',
    '1,9',
  ]);
  const thousands = (language: string): string => format(parse('{n}'), { n: 12_000 }, language);
  expect(LANGUAGES.map((language) => [language, thousands(language)])).toEqual([
    ['en', '12,000'],
    ['de', '12.000'],
    ['es', '12.000'],
    ['fr', '12\u202f000'],
    ['it', '12.000'],
    ['nl', '12.000'],
    ['sv', '12\u00a0000'],
  ]);
  expect(format(parse('{n} {table}'), { n: 1000, table: '123456' }, 'de')).toBe('1000 123456');
});

// --- counts

/** Numbers that number something instead of counting it, so that no word depends on them. */
const NUMBERING = [
  'place.crew',
  'new.seat.kind',
  'new.seat.level',
  'new.seat.name',
  'waiting.seat',
  'join.seat',
  'learn.step',
  'replay.scrub',
  'watch.at',
  'waiting.computer.level',
  'open.clock.turn',
  'open.clock.bank',
  'mine.more',
  'example.title.a',
  'example.title.b',
  'review.progress',
  'review.graph.at',
  'review.swing.decision',
  'review.swing.luck',
  'review.swing.bad',
  'review.line',
  'review.line.at',
  'review.turning',
];
/** The places of numbers that count something: the words beside them follow the number. */
const COUNTED = ['n', 'solved'];
/** Words that are the same for one and for several. */
const UNCHANGING: Record<string, string[]> = {
  en: ['solved'],
  de: ['Rätsel', 'gelöst'],
  nl: ['opgelost'],
  sv: ['kort', 'drag', 'pussel', 'av', 'bord'],
};

/** Counts that a game may show, and those that languages have a rule of their own for (a million in French and Spanish). */
const COUNTS = [...Array(31).keys(), 50, 100, 101, 102, 105, 1_000, 1_000_000, 2_000_000];

/** The counts of each plural category of a language: English has one (1) and other (0, 2, 3 …). */
function countsOf(language: string): Map<string, number[]> {
  const rules = new Intl.PluralRules(language);
  const found = new Map(
    rules.resolvedOptions().pluralCategories.map((category) => [category as string, [] as number[]]),
  );
  for (const count of COUNTS) found.get(rules.select(count))?.push(count);
  return found;
}

/** What is wrong with the grammatical numbers of a message, by the rules of the language itself. */
function pluralFaults(language: string, text: string): string[] {
  const plurals = slotsOf(parse(text)).filter((slot) => slot.kind === 'plural');
  const others = Object.fromEntries(slotsOf(parse(text)).map((slot) => [slot.name, 'X']));
  return plurals.flatMap(({ name, forms }) => {
    const counts = countsOf(language);
    const say = (n: number): string =>
      format(parse(text), { ...others, [name]: n }, language).replaceAll(
        n < 10_000 ? String(n) : numberText(n, language),
        '#',
      );
    const missing = [...counts.keys()]
      .filter((category) => !forms.has(category))
      .map((category) => `no form ${category}`);
    const foreign = [...forms.keys()]
      .filter((form) => !counts.has(form) && !/^=\d+$/.test(form))
      .map((form) => `a form ${form}`);
    const blind = [...counts]
      .map(([category, numbers]) => [category, numbers.filter((n) => !forms.has(`=${n}`))] as const)
      .filter(([, numbers]) => numbers.length > 1 && !numbers.every((n) => say(n).includes('#')))
      .map(([category]) => `${category} does not say the number`);
    const [one = '', several = ''] = [1, 2].map(say);
    const counted = /# (?:\S+ )??(\p{L}+)/u.exec(one)?.[1] ?? '';
    const same = one === several && !UNCHANGING[language]?.includes(counted) ? ['the same for 1 and 2'] : [];
    return [...missing, ...foreign, ...blind, ...same];
  });
}

test.each(LANGUAGES)('%s counts everything by its own plural rules', (language) => {
  for (const [key, text] of entries(language)) {
    const slots = slotsOf(parse(text));
    expect(pluralFaults(language, text), key).toEqual([]);
    if (!NUMBERING.includes(key))
      for (const counted of COUNTED) {
        const kinds = slots.filter((slot) => slot.name === counted).map((slot) => slot.kind);
        if (kinds.length) expect(kinds, `${key}: ${counted}`).toContain('plural');
      }
    const given = Object.fromEntries(slots.map((slot) => [slot.name, slot.kind === 'plural' ? 2 : 'X']));
    expect(format(parse(text), given, language), key).not.toMatch(/[{}#]|undefined|NaN/);
  }
});

test.each([
  ['en', '{n, plural, one {# card} other {# cards}}', []],
  ['en', '{n, plural, one {A card} other {# cards}}', []],
  ['en', '{n, plural, other {# cards}}', ['no form one', 'the same for 1 and 2']],
  ['en', '{n, plural, one {# card} few {# cards} other {# cards}}', ['a form few']],
  ['en', '{n, plural, one {# card} other {some cards}}', ['other does not say the number']],
  ['fr', '{n, plural, one {# carte} many {# de cartes} other {# cartes}}', []],
  ['fr', '{n, plural, one {# carte} other {# cartes}}', ['no form many']],
  ['fr', '{n, plural, one {Une carte} many {# de cartes} other {# cartes}}', ['one does not say the number']],
  ['fr', '{n, plural, =0 {Aucune carte} one {Une carte} many {# de cartes} other {# cartes}}', []],
  ['es', '{n, plural, one {# carta} many {# de cartas} other {# cartas}}', []],
  ['it', '{n, plural, one {# carta} many {# di carte} other {# carte}}', []],
  ['pl', '{n, plural, one {# karta} few {# karty} many {# kart} other {# karty}}', []],
  ['pl', '{n, plural, one {# karta} other {# kart}}', ['no form few', 'no form many']],
] as const)('in %s the message %s has the faults %j', (language, text, faults) => {
  expect(pluralFaults(language, text)).toEqual(faults);
});

test('a language with a rule of its own for 0 or for millions is spoken by that rule', () => {
  const cards = parse('{n, plural, one {# carte} many {# de cartes} other {# cartes}}');
  expect([0, 1, 2, 1_000_000].map((n) => format(cards, { n }, 'fr').replaceAll(/\s/g, ' '))).toEqual([
    '0 carte',
    '1 carte',
    '2 cartes',
    '1 000 000 de cartes',
  ]);
});

test('the parameters of a message are those that its text names', () => {
  expect([t('cards', { n: 2 }), t('page.title', { page: 'Rules' })]).toEqual(['2 cards', 'Rules · Cartagena']);
  // @ts-expect-error a parameter is missing
  t('cards');
  // @ts-expect-error another parameter is given
  t('cards', { number: 2 });
  // @ts-expect-error one too many
  t('cards', { n: 2, name: 'Ann' });
  // @ts-expect-error a message without places takes none
  t('cancel', { n: 2 });
  // @ts-expect-error what is counted is a number
  t('cards', { n: '2' });
  // @ts-expect-error places inside the forms of a plural or a selection count too
  t('status.turn', { n: 1 });
  // @ts-expect-error of several messages, the parameters of all
  t(Math.random() < 2 ? 'option.drop' : 'option.end');
});

test('messages choose their forms by the rules of the language, exact numbers first', () => {
  const text = '{n, plural, =0 {none} one {# card for {who, select, you {you} other {{who}}}} other {# cards}}';
  expect([0, 1, 5].map((n) => format(parse(text), { n, who: 'Ann' }, 'en'))).toEqual([
    'none',
    '1 card for Ann',
    '5 cards',
  ]);
  expect(format(parse(text), { n: 1, who: 'you' }, 'sv')).toBe('1 card for you');
  expect(format(parse('{n} of {all}'), { n: 1 }, 'en')).toBe('1 of {all}');
  for (const wrong of ['{n', '{n, plural, one {a}}', 'a } b', '{n, amount, other {a}}'])
    expect(() => parse(wrong), wrong).toThrow();
});

// --- words

/** What no publisher would print, in any message. */
const FORBIDDEN: Record<string, RegExp> = {
  en: /[Ss]omebody|[Ww]hoever|[Nn]obody|set the table|would:|because:|lay the table|\bor undo\b|one's own|\brecord\b|\bis is\b|[Mm]ail address(?<!email address)/i,
  de: /decken|Hände|würde:|[Ww]eil:|Vor Feld|nach (Schaluppe|Piratennest|Feld)|Jemand|täte|Kennung|Aufzeichnung|[Gg]ezogen(:|e Karten)|das Brett\b|Spieluhr|Spiel starten|[Dd]as Spiel (ist|läuft|hat|endet)|endet das Spiel|vor dem Spiel|[Zz]iehe? (eine |zwei K|Karten)|wirf|Wähl |Mailadresse(?<!E-Mail-Adresse)/,
  nl: /dek de|gedekt|handen|zou:|[Oo]mdat:|Beurt eindigen|eindig(t|en)? de beurt|komen toevallig|gezelschap|in elke mengeling|kan (nog )?zetten|oversteek\b|getrokken|\btrek\b|\bhaar\b|opgeslagen|schudbeurt|het spel (is|begint|begon|eindigt|gaat)|spel starten|vóór het spel|\buw?\b(?!:)/i,
  es: /\busted|\bvosotros|computadora|\bjugada|\bmovimiento|\bbaraja limpia|\bse comprometió|\bse había comprometido/i,
  fr: /(?<!\p{L})(tu|toi|ton|ta|tes)(?!\p{L})|'| [;:!?»%]|« |\u00a0[;!?]|\} points?(?!\p{L})|(?<!\p{L})(de|que|le|la|ne|se|je) \{(name|names|who|game|level)\}/iu,
  it: /\bLei\b|\bvoi\b|'|\bmossa|\bmosse|impegnato/,
  sv: /\bduka[rd]?\b|dukade|uppdukat|händer|skulle:|[Dd]ärför att:|är i tur|\bhandling|\bfält|\btecken|brädet\b(?<!analysbrädet)|avsluta tur\b|spelet (är slut|börja|pågår|slutar)|före spelet|lämnat? spelet|starta spelet|\bdra (ett|två|\{)|\bdrogs\b|en bra tur|(pirat|pirater ombord) (kan bara )?flytta[r\b]?(?!s)/i,
};

test.each(LANGUAGES)('%s has none of the phrases that read as translated', (language) => {
  const found = entries(language).filter(([, text]) => FORBIDDEN[language]?.test(text));
  expect(found).toEqual([]);
});

/** How a language prints: its quotation marks, what stands before a percent sign, and before dots that trail off. */
const PRINT: Record<string, { quotes: string; percent: string; dots: string }> = {
  en: { quotes: '“”', percent: '', dots: '' },
  de: { quotes: '„“', percent: '\u00a0', dots: '\u00a0' },
  es: { quotes: '«»', percent: '\u00a0', dots: '' },
  fr: { quotes: '«»', percent: '\u00a0', dots: '' },
  it: { quotes: '«»', percent: '', dots: '' },
  nl: { quotes: '‘’', percent: '', dots: '' },
  sv: { quotes: '””', percent: '\u00a0', dots: '\u00a0' },
};

/** What is printed in a way that is not the language's. */
function printFaults(language: string, text: string): string[] {
  const { quotes, percent, dots } = PRINT[language] ?? { quotes: '', percent: '', dots: '' };
  const straight = /['"]|\.\.\./.test(text) ? ['typewriter'] : [];
  const marks = [...text.matchAll(/[“”„«»]|‘/gu)].map(([mark]) => mark).filter((mark) => !quotes.includes(mark));
  const before = (sign: RegExp, wanted: string): boolean =>
    [...text.matchAll(sign)].some(([, space]) => space !== wanted);
  const spaces = [
    ...(before(/(\s?)%/gu, percent) ? ['percent'] : []),
    ...(before(/(\s?)…/gu, dots) ? ['dots'] : []),
    ...(/\} (s|min)\b/u.test(text) ? ['unit'] : []),
  ];
  const asked = language === 'es' && (text.match(/[?!]/g) ?? []).length !== (text.match(/[¿¡]/g) ?? []).length;
  return [...straight, ...marks, ...spaces, ...(asked ? ['opening mark'] : [])];
}

test.each(LANGUAGES)('%s is printed with its own marks and spaces', (language) => {
  const wrong = entries(language).map(([key, text]) => [key, ...printFaults(language, text)]);
  expect(wrong.filter(([, ...faults]) => faults.length > 0)).toEqual([]);
});

test.each([
  ['nl', 'Kies “Tijd”', ['“', '”']],
  ['de', 'Etwa {mine}%', ['percent']],
  ['en', 'About {mine} %, “a lot”', ['percent']],
  ['sv', 'Räknar …', ['dots']],
  ['fr', '{n} s par tour', ['unit']],
  ['es', 'Sabes jugar?', ['opening mark']],
  ['it', "All'arrembaggio...", ['typewriter']],
  ['de', 'Öffne „Zeit“ …', ['dots']],
])('in %s the message %s is printed with the faults %j', (language, text, faults) => {
  expect(printFaults(language, text)).toEqual(faults);
});

/** What is written outside the catalogues: the terminal's texts and the help page of a language, line by line. */
function linesBeside(language: string): string[] {
  const page = language === 'en' ? 'index' : language;
  const paths = [`../../src/cartagena/cli/terminal/words/${language}.toml`, `../../docs/play/${page}.md`];
  const texts = paths.map((path) => readFileSync(new URL(path, import.meta.url), 'utf-8'));
  return texts.flatMap((text) => text.split('\n')).filter((line) => !/^#|^pip |```/.test(line));
}

test.each(LANGUAGES)('the terminal and the help page of %s have none of the phrases either', (language) => {
  expect(linesBeside(language).filter((line) => FORBIDDEN[language]?.test(line))).toEqual([]);
});

test.each(Object.keys(OTHERS))('the terminal refuses in the words of the table in %s', (language) => {
  const told = linesBeside(language).flatMap((line) => [...line.matchAll(/^([a-z-]+) = "(.*)"$/g)]);
  const shared = told.filter(([, key = '']) => `reason.${key}` in ENGLISH && !ENGLISH[`reason.${key}`]?.includes('{'));
  expect(shared.length).toBeGreaterThan(15);
  for (const [, key = '', text = ''] of shared) expect(text, key).toBe(OTHERS[language]?.[`reason.${key}`]);
});

interface Term {
  readonly term: string;
  readonly word: string;
  readonly booklet: string;
}

/** The rows of a glossary: the table in the folder of the language. */
function glossary(language: string): Term[] {
  const text = new TextDecoder().decode(readFileSync(new URL(`../src/i18n/${language}/glossary.md`, import.meta.url)));
  const rows = text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2);
  return rows
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, term = '', word = '', booklet = '']) => ({ term, word, booklet }));
}

test.each(LANGUAGES)('the %s glossary has every term, and each of its words is used', (language) => {
  const rows = glossary(language);
  expect(rows.map((row) => row.term)).toEqual(glossary('en').map((row) => row.term));
  expect(rows.length).toBeGreaterThan(30);
  const used = entries(language)
    .map(([, text]) => text)
    .join('\n')
    .toLowerCase();
  for (const { term, word, booklet } of rows) {
    expect(booklet, term).not.toBe('');
    for (const one of word.split(', ')) expect(used.includes(one.toLowerCase()), `${term}: ${one}`).toBe(true);
  }
});

/** Terms that nothing else is called by: a message has their word only where the English one has the English word. */
const ONE_THING = [
  ...['captain', 'freebooter', 'fortress', 'tunnel', 'stock', 'discard pile', 'turn', 'push', 'free road', 'host'],
  ...['spectator', 'hint', 'puzzle', 'win chance', 'starting chance', 'variation', 'personal data'],
];
/** Messages that go round the English word. */
const ROUND = ['crews.turn'];

const wordsOf = (language: string, term: string): string[] =>
  glossary(language)
    .find((row) => row.term === term)
    ?.word.split(', ') ?? [];
const says = (text: string, words: readonly string[]): boolean =>
  new RegExp(`(?<!\\p{L})(?:${words.join('|')})`, 'iu').test(text);

test.each(LANGUAGES)('in %s one word stands for one thing', (language) => {
  const words = glossary(language).flatMap(({ word }) => word.toLowerCase().split(', '));
  expect(words.filter((word, at) => words.indexOf(word) !== at)).toEqual([]);
  for (const term of ONE_THING) {
    const [own, english] = [wordsOf(language, term), wordsOf('en', term)];
    const astray = entries(language).filter(([key, text]) => says(text, own) && !says(ENGLISH[key] ?? '', english));
    expect([term, astray.filter(([key]) => !ROUND.includes(key))]).toEqual([term, []]);
  }
});

// --- the language spoken

test('the pseudo-language marks text and keeps its places', () => {
  expect(mangle('Draws {cards}.')).toBe('⟦Dráws {cards}.⟧');
  expect(format(parse(mangle('{n, plural, one {# card} other {# cards}}')), { n: 2 }, 'en')).toBe('⟦2 cárds⟧');
});

test('of two languages chosen quickly the later one is spoken, whichever comes first', async () => {
  vi.stubGlobal('document', { documentElement: { lang: '' } });
  await Promise.all([speech.choose('de'), speech.choose('en')]);
  expect([speech.code, t('again')]).toEqual(['en', en.again]);
  await Promise.all([speech.choose('en'), speech.choose('sv')]);
  expect([speech.code, t('again')]).toEqual(['sv', ALL['sv']?.['again']]);
});

test('the words of a screen are learned once, and spoken in every language chosen later', async () => {
  vi.stubGlobal('document', { documentElement: { lang: '' } });
  await speech.choose('en');
  await Promise.all([speech.learn('puzzles'), speech.learn('puzzles')]);
  expect([t('again'), t('puzzles.title')]).toEqual([en.again, partsOf('en')['puzzles.title']]);
  await speech.choose('nl');
  expect([t('again'), t('puzzles.title')]).toEqual([ALL['nl']?.['again'], partsOf('nl')['puzzles.title']]);
});

test('a name from right to left leaves the digits and brackets beside it in their places', () => {
  const said = format(parse('{name} ({colour}) moves to field {n}'), { name: 'שלום', colour: 'blue', n: 5 }, 'en');
  expect(said).toBe('\u2068שלום\u2069 (blue) moves to field 5');
});
