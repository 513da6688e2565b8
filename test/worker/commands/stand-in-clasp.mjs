// A fake clasp: prints its working directory and arguments to stderr, and the number of a created version to stdout.
import { readFileSync } from 'node:fs';

const args = process.argv.slice(2);
const call = { folder: process.cwd(), args, project: readFileSync('.clasp.json', 'utf8') };
process.stderr.write(`${JSON.stringify(call)}\n`);
if (args.includes('--json')) console.log(JSON.stringify({ versionNumber: 7 }, null, 2));
