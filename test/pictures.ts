// npm run docs:pictures: takes the pictures of README.md and docs/ again, in docs/pictures, of an instance with sample records.
import { buildAll } from '../worker/commands/build.ts';
import { tools } from '../worker/commands/paths.ts';
import { runCommand } from '../worker/commands/user-error.ts';
import { installChromium } from './chromium.ts';
import { runTool } from './vitest.ts';

await runCommand(async () => {
  const environment = { CHROMIUM: await installChromium(), PICTURES: '1' };
  await buildAll();
  const suites = ['--project', 'instance', '--project', 'pages', 'pictures'];
  if (!(await runTool([tools.vitest, 'run', '--maxWorkers=1', ...suites], environment))) process.exitCode = 1;
});
