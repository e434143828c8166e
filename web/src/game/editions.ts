/** The games and editions of this version, and what an edition decides. Written by tools/editions.py. */
export const EDITIONS = {
  'jamaica-en': { game: 'jamaica', edition: 'en', pass: false, nest: false },
  'jamaica-de': { game: 'jamaica', edition: 'de', pass: true, nest: false },
  'jamaica-nl': { game: 'jamaica', edition: 'nl', pass: false, nest: false },
  'jamaica-sv': { game: 'jamaica', edition: 'sv', pass: false, nest: false },
  'tortuga-en': { game: 'tortuga', edition: 'en', pass: false, nest: false },
  'tortuga-de': { game: 'tortuga', edition: 'de', pass: true, nest: false },
  'tortuga-nl': { game: 'tortuga', edition: 'nl', pass: false, nest: false },
  'tortuga-sv': { game: 'tortuga', edition: 'sv', pass: false, nest: false },
  'hispaniola-en': { game: 'hispaniola', edition: 'en', pass: false, nest: false },
  'hispaniola-de': { game: 'hispaniola', edition: 'de', pass: true, nest: false },
  'hispaniola-nl': { game: 'hispaniola', edition: 'nl', pass: false, nest: false },
  'hispaniola-sv': { game: 'hispaniola', edition: 'sv', pass: false, nest: false },
  'nest-nl': { game: 'nest', edition: 'nl', pass: false, nest: true },
} as const;
