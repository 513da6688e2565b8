// Stands for clasp: tells where it was called, and with what.
import { readFileSync } from 'node:fs';

console.log(
  JSON.stringify({
    folder: process.cwd(),
    args: process.argv.slice(2),
    project: readFileSync('.clasp.json', 'utf8'),
  }),
);
