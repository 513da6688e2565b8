// A command that fails as no command should, for user-error.test.ts.
import { command } from '../../../worker/commands/user-error.ts';

await command(async () => {
  throw new TypeError('nobody expected this');
});
