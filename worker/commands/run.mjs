// Runs a command of the project with the project's Node: node worker/commands/run.mjs SCRIPT [ARGUMENT ...].

// Plain JavaScript without dependencies: it must run on Node 20 before the packages are installed.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const OLDEST_NODE = 20;

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const node = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');
const installed = join(root, 'node_modules', '.package-lock.json');

function isInstalled() {
  // npm would empty the folder that a link points to.
  if (lstatSync(join(root, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink()) return true;
  if (!existsSync(node) || !existsSync(installed)) return false;
  return statSync(installed).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs;
}

function runNpm(...args) {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const result = spawnSync(npm, [...args, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (result.status === 0) return;
  // Otherwise the next command would take the packages for installed.
  rmSync(installed, { force: true });
  console.error(
    'The packages could not be installed. Check the connection to the npm registry and try again.',
  );
  process.exit(1);
}

/** Only the packages that package.json allows run install scripts: older versions of npm would run those of all. */
function install() {
  console.log('Installing packages (once, about a minute) …');
  const { allowScripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const allowed = Object.keys(allowScripts).filter((name) => allowScripts[name] === true);
  runNpm('ci', '--ignore-scripts');
  runNpm('rebuild', '--ignore-scripts=false', ...allowed);
}

if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
  console.error(`Node ${OLDEST_NODE} or newer is needed; this is ${process.versions.node}.`);
  process.exit(1);
}
if (!isInstalled()) install();

const [script, ...args] = process.argv.slice(2);
const child = spawn(node, [join(root, script), ...args], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
});
// This process waits until the command has shut down.
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
// A terminal also sends Ctrl-C to the command. A second SIGINT could kill the command during its shutdown.
process.on('SIGINT', () => {});
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
