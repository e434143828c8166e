/** The five crews: each with a colour name and a body, in a 40 x 48 box standing on its lower edge. */
export interface CrewShape {
  readonly colour: 'blue' | 'red' | 'yellow' | 'green' | 'brown';
  /** The body, whose outline alone tells the crews apart. */
  readonly body: string;
  /** A mark on the body. */
  readonly mark: string;
}

export const CREWS: readonly CrewShape[] = [
  {
    colour: 'blue',
    body: 'M20 17a14.5 14.5 0 1 1 0 29 14.5 14.5 0 0 1 0-29z',
    mark: 'M20 25.5a6 6 0 1 1 0 12 6 6 0 0 1 0-12z',
  },
  {
    colour: 'red',
    body: 'M7.5 19h25a1.5 1.5 0 0 1 1.5 1.5v24a1.5 1.5 0 0 1-1.5 1.5h-25A1.5 1.5 0 0 1 6 44.5v-24A1.5 1.5 0 0 1 7.5 19z',
    mark: 'M14.5 27h11v11h-11z',
  },
  {
    colour: 'yellow',
    body: 'M20 12.5c.8 0 1.4.4 1.8 1.1L37 43.4c.8 1.5-.1 2.6-1.6 2.6H4.6C3.1 46 2.2 44.9 3 43.4L18.2 13.6c.4-.7 1-1.1 1.8-1.1z',
    mark: 'M20 29l5.5 11h-11z',
  },
  { colour: 'green', body: 'M11.5 18h17L37.5 32 28.5 46h-17L2.5 32z', mark: 'M16.5 26h7l3.5 6-3.5 6h-7L13 32z' },
  {
    colour: 'brown',
    body: 'M14 18h12v8.5h9.5V37H26v9H14v-9H4.5V26.5H14z',
    mark: 'M17.5 25h5v4.5H27v5h-4.5V39h-5v-4.5H13v-5h4.5z',
  },
];

/** Head and three-cornered hat, the same for all. */
export const HEAD = 'M20 9.5a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13z';
export const HAT =
  'M8 12.5c2.5-1 4.2-2.3 5-5.3C13.8 4 16.2 2 20 2s6.2 2 7 5.2c.8 3 2.5 4.3 5 5.3-2.5 2.3-6.8 3.5-12 3.5S10.5 14.8 8 12.5z';
