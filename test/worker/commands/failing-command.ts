// A command that throws an unexpected error, for user-error.test.ts.
import { runCommand } from '../../../worker/commands/user-error.ts';

await runCommand(async () => {
  throw new TypeError('nobody expected this');
});
