// npm run test:scale [-- NAME…]: runs the tests of large volumes at full size, or those whose file name contains a text;
// `npm run test:all` runs them at 1:100.
import { tools } from '../worker/commands/paths.ts';
import { runTool } from './vitest.ts';

/** The largest takes some minutes. */
const TIMEOUT_MS = 1_200_000;

const names = process.argv.slice(2);
const files = names.length === 0 ? ['.scale.'] : names.map((name) => `${name}.scale.`);
const args = [
  tools.vitest,
  'run',
  '--project',
  'workerd',
  '--project',
  'node',
  `--testTimeout=${TIMEOUT_MS}`,
  ...files,
];
if (!(await runTool(args, { SCALE: '1' }))) process.exitCode = 1;
