/** Answers questions about the engine under Node: engine.mjs BUNDLE CODE DATA QUESTIONS ANSWERS NETWORK... */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { answers } from './questions.mjs';

const [, , bundle, code, data, questions, out, ...networks] = process.argv;
const json = (path) => JSON.parse(readFileSync(path, 'utf8'));
const api = await import(pathToFileURL(bundle).href);
const files = Object.fromEntries(networks.map((path) => [basename(path), new Uint8Array(readFileSync(path))]));
writeFileSync(out, JSON.stringify(await answers(api, readFileSync(code), json(data), files, json(questions))));
