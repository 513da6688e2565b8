// A fake clasp: prints its working directory and arguments.
import { readFileSync } from 'node:fs';

console.log(
  JSON.stringify({
    folder: process.cwd(),
    args: process.argv.slice(2),
    project: readFileSync('.clasp.json', 'utf8'),
  }),
);
