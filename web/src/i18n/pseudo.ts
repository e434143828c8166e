/** A made-up language that marks every translated text, so that untranslated text can be seen. */
import { parse, type Message, type Slot } from './message.ts';

const [VOWELS, ACCENTED] = ['aeiouAEOU', 'áëïøûÅÉÖÛ'];

function accented(message: Message): string {
  return message
    .map((part) =>
      typeof part === 'string'
        ? part.replace(/[aeiouAEOU]/g, (vowel) => ACCENTED.charAt(VOWELS.indexOf(vowel)))
        : slotText(part),
    )
    .join('');
}

function slotText({ name, kind, forms }: Slot): string {
  if (kind === 'value') return `{${name}}`;
  return `{${name}, ${kind}, ${[...forms].map(([form, message]) => `${form} {${accented(message)}}`).join(' ')}}`;
}

/** The message with accents and brackets; its places stay as they are. */
export function mangle(text: string): string {
  return `⟦${accented(parse(text))}⟧`;
}

export function pseudo<T extends Readonly<Record<string, string>>>(catalogue: T): T {
  return Object.fromEntries(Object.entries(catalogue).map(([key, text]) => [key, mangle(text)])) as T;
}
