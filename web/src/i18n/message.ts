/**
 * Messages with places, in the manner of ICU: `{name}`, `{n, plural, =0 {no cards} one {# card} other {# cards}}`,
 * `{to, select, sloop {aboard the sloop} other {to field {to}}}`. A sentence is one message, whatever is put into it.
 */
export type Params = Readonly<Record<string, string | number>>;

/**
 * The places of a message as `[name, kind]`, read from its text by the compiler. `Open` is what the text stands in, the innermost
 * first: `m` a message, `f` the forms of a plural or a selection.
 */
type PlacesOf<
  Text extends string,
  Open extends string = 'm',
  Found = never,
> = Text extends `${infer Before}{${infer After}`
  ? Before extends `${string}}${infer Rest}`
    ? PlacesOf<`${Rest}{${After}`, Open extends `${'m' | 'f'}${infer Outer}` ? Outer : never, Found>
    : Open extends `f${string}`
      ? PlacesOf<After, `m${Open}`, Found>
      : After extends `${infer Place}}${infer Rest}`
        ? Place extends `${infer Name}, ${infer Kind}, ${string}`
          ? After extends `${Name}, ${Kind}, ${infer Forms}`
            ? PlacesOf<Forms, `f${Open}`, Found | [Name, Kind]>
            : never
          : PlacesOf<Rest, Open, Found | [Place, 'value']>
        : never
  : Found;

type Filled<Places extends [string, string]> = {
  readonly [Name in Places[0]]: [Name, 'plural'] extends Places ? number : string | number;
};

/** What a message must be given: a number to count, a number or a text for every other place. Of several messages: for all of them. */
export type ParamsOf<Text extends string> = Filled<PlacesOf<Text>>;

/** The parameters after a key: none for a message without places. */
export type Given<Text extends string> = [PlacesOf<Text>] extends [never] ? [] : [params: ParamsOf<Text>];

/** A place in a message. The forms of a plural or a selection are messages themselves. */
export interface Slot {
  readonly name: string;
  readonly kind: 'value' | 'plural' | 'select';
  readonly forms: ReadonlyMap<string, Message>;
}
export type Message = readonly (string | Slot)[];

const NO_FORMS: ReadonlyMap<string, Message> = new Map();

class Reader {
  private at = 0;

  constructor(private readonly text: string) {}

  /** A message up to the end of the text, or up to the bracket that closes a form; `counted` is what `#` stands for. */
  message(inner: boolean, counted = ''): Message {
    const parts: (string | Slot)[] = [];
    while (this.at < this.text.length && !(inner && this.text[this.at] === '}')) {
      const sign = this.text[this.at];
      if (sign === '{') parts.push(this.slot(counted));
      else if (sign === '#' && counted) {
        this.at++;
        parts.push({ name: counted, kind: 'value', forms: NO_FORMS });
      } else parts.push(this.take(counted ? /[^{}#]+/y : /[^{}]+/y));
    }
    return parts;
  }

  private slot(counted: string): Slot {
    this.take(/\{\s*/y);
    const name = this.take(/\w+/y);
    if (!this.take(/\s*,\s*/y, true)) {
      this.take(/\s*\}/y);
      return { name, kind: 'value', forms: NO_FORMS };
    }
    const kind = this.take(/plural|select/y) as 'plural' | 'select';
    this.take(/\s*,\s*/y);
    const forms = new Map<string, Message>();
    while (!this.take(/\s*\}/y, true)) {
      const form = this.take(/\s*[\w=-]+\s*/y).trim();
      this.take(/\{/y);
      forms.set(form, this.message(true, kind === 'plural' ? name : counted));
      this.take(/\}/y);
    }
    if (!forms.has('other')) throw new Error(`No form "other" of {${name}} in: ${this.text}`);
    return { name, kind, forms };
  }

  private take(pattern: RegExp, optional = false): string {
    pattern.lastIndex = this.at;
    const [found = ''] = pattern.exec(this.text) ?? [];
    if (!found && !optional) throw new Error(`Cannot read the message at ${this.at}: ${this.text}`);
    this.at += found.length;
    return found;
  }
}

/** A function that makes each thing once. */
function kept<T, Rest extends readonly (string | number)[]>(make: (...given: Rest) => T): (...given: Rest) => T {
  const made = new Map<string, T>();
  return (...given) => {
    const key = given.join(' ');
    const found = made.get(key) ?? make(...given);
    made.set(key, found);
    return found;
  };
}

export const parse = kept((text: string): Message => new Reader(text).message(false));
const pluralRules = kept((language: string) => new Intl.PluralRules(language));
const numberFormat = kept(
  (language: string, decimals: number) =>
    new Intl.NumberFormat(language, { minimumFractionDigits: decimals, maximumFractionDigits: decimals }),
);

/** A number as the language writes it, with a fixed number of decimals. */
export const numberText = (value: number, language: string, decimals = 0): string =>
  numberFormat(language, decimals).format(value);

/** Numbers with five digits and more are grouped. */
const valueText = (value: string | number, language: string): string =>
  typeof value === 'number' && value >= 10_000 ? numberText(value, language) : String(value);

function formOf({ name, kind, forms }: Slot, params: Params, language: string): Message {
  const given = params[name] ?? '';
  const exact = forms.get(kind === 'plural' ? `=${given}` : String(given));
  const form = exact ?? (kind === 'plural' ? forms.get(pluralRules(language).select(Number(given))) : undefined);
  return form ?? forms.get('other') ?? [];
}

/** Letters that are read from right to left: set apart, so that digits and brackets beside a name stay where they are. */
const LEFTWARD = /\p{Script=Hebrew}|\p{Script=Arabic}|\p{Script=Syriac}|\p{Script=Thaana}|\p{Script=Nko}/u;
const apart = (text: string): string => (LEFTWARD.test(text) ? `\u2068${text}\u2069` : text);

/** The message in words; a place that nothing is given for stays visible. */
export function format(message: Message, params: Params, language: string): string {
  return message
    .map((part) => {
      if (typeof part === 'string') return part;
      if (part.kind === 'value') return apart(valueText(params[part.name] ?? `{${part.name}}`, language));
      return format(formOf(part, params, language), params, language);
    })
    .join('');
}

/** All places of a message, those inside its forms included. */
export function slotsOf(message: Message): Slot[] {
  return message.flatMap((part) =>
    typeof part === 'string' ? [] : [part, ...[...part.forms.values()].flatMap(slotsOf)],
  );
}
