// Builds the add-on: the script of the formulas, the one that it loads on demand, its sidebar and its manifest.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import * as z from 'zod';
import { type Formula, formulas } from '../../../shared/formulas.ts';
import { root } from '../paths.ts';
import { bundle } from './bundle.ts';
import { payloadRules } from './payload-rules.ts';
import { checkHtmlScript, checkScript, ECMA_VERSION } from './script.ts';
import { buildSidebar } from './sidebar.ts';

/** Holds the bundle's exports; a name that ends in _ can't be called from outside. */
const BUNDLE = 'cdapi_';

/** A public name that is no formula. */
interface Handler {
  help: string;
  parameters?: readonly string[];
}

/** What menus, triggers and the sidebar call by name. */
const handlers: Readonly<Record<string, Handler>> = {
  cdapiSidebar: { help: 'Sidebar: answers a call of its page, JSON for JSON.', parameters: ['request'] },
  cdapiOnOpen: {
    help: 'Installable trigger: completes what was still being fetched, and writes rows that came.',
  },
  completeOnOpening: { help: 'Menu item: switches the installable trigger on or off.' },
  connect: { help: 'Menu item: asks for a connection link.' },
  disconnect: { help: 'Menu item: forgets the connection.' },
  freezeSelection: { help: 'Menu item: turns the formulas of the selection into values.' },
  freezeSheet: { help: 'Menu item: turns the formulas of the sheet into values.' },
  help: { help: 'Menu item: says what there is.' },
  onInstall: { help: 'Simple trigger: makes the menu after the add-on was installed.' },
  openSidebar: { help: 'Menu item: shows the sidebar.' },
  onOpen: { help: 'Simple trigger: makes the menu when the spreadsheet is opened.' },
  refreshSelection: { help: 'Menu item: runs the formulas of the selection again.' },
};

const manifestFile = z.looseObject({ oauthScopes: z.array(z.string()) });

/** A formula's help, in the form in which Sheets reads it. */
function formulaDocs(formula: Formula): string {
  const parameters = formula.parameters.map(({ name, type, optional, example, help }) => {
    const shown = optional ? `[${name}]` : name;
    return ` * @param {${type}} ${shown} ${help} Example: ${example}`;
  });
  const { type, help } = formula.returns;
  return [
    '/**',
    ` * ${formula.help}`,
    ' *',
    ...parameters,
    ` * @return {${type}} ${help}`,
    ' * @customfunction',
    ' */',
  ].join('\n');
}

function declaration(name: string): string {
  const formula = formulas.find((candidate) => candidate.name === name);
  const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
  if (formula === undefined && handler === undefined) {
    throw new Error(`${name} is public, but nothing says what it is for.`);
  }
  const docs = formula === undefined ? `/** ${handler?.help} */` : formulaDocs(formula);
  const names = formula?.parameters.map((parameter) => parameter.name) ?? handler?.parameters ?? [];
  const parameters = names.join(', ');
  return `${docs}\nfunction ${name}(${parameters}) {\n  return ${BUNDLE}.${name}(${parameters});\n}\n`;
}

const entry = join(root, 'addon', 'index.ts');
/** What is loaded on demand: menus, triggers and the sidebar's server. */
const laterEntry = join(root, 'addon', 'lazy-script.ts');

/** A bundle whose exports are members of one variable. */
const scriptBundle = (entryPoint: string, gateway: string): Promise<string> =>
  bundle(entryPoint, {
    format: 'iife',
    globalName: BUNDLE,
    target: `es${ECMA_VERSION}`,
    define: { CDAPI_GATEWAY: JSON.stringify(gateway), CDAPI_PAYLOADS: JSON.stringify(payloadRules()) },
  });

async function exportedNames(): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    format: 'esm',
    outdir: root,
    metafile: true,
    write: false,
    logLevel: 'error',
  });
  return Object.values(metafile.outputs).flatMap((output) => output.exports);
}

/** The script: what the bundle exports becomes its public functions. */
async function scriptOf(gateway: string): Promise<string> {
  const [exported, code] = await Promise.all([exportedNames(), scriptBundle(entry, gateway)]);
  return [code, ...exported.sort().map(declaration)].join('\n');
}

/** The script that is loaded on demand: its value is the object of its functions. */
async function laterOf(gateway: string): Promise<string> {
  return `${await scriptBundle(laterEntry, gateway)}${BUNDLE};\n`;
}

/** The manifest; a release may call its own gateway and nobody else. */
async function manifestOf(gateway: string): Promise<string> {
  const manifest = manifestFile.parse(
    JSON.parse(await readFile(join(root, 'addon', 'appsscript.json'), 'utf8')),
  );
  const whole = gateway === '' ? manifest : { ...manifest, urlFetchWhitelist: [`${gateway}/`] };
  return `${JSON.stringify(whole, null, 2)}\n`;
}

/**
 * Builds the add-on.
 * @param options - `outDir`: where `Code.js`, `Later.html`, `Sidebar.html` and `appsscript.json` are written; `gateway`: the
 * origin of the one gateway that it works with, without a slash at its end; with any, where it is left out
 * @throws Error where a public name has no help, a script is none that Apps Script runs, or a file is too large
 */
export async function buildAddon({
  outDir,
  gateway = '',
}: {
  outDir: string;
  gateway?: string;
}): Promise<void> {
  const [code, later, manifest] = await Promise.all([
    scriptOf(gateway),
    laterOf(gateway),
    manifestOf(gateway),
  ]);
  await Promise.all([checkScript('Code.js', code), checkHtmlScript('Later.html', later)]);
  await mkdir(outDir, { recursive: true });
  await writeFile(join(outDir, 'Code.js'), code);
  await writeFile(join(outDir, 'Later.html'), later);
  await writeFile(join(outDir, 'appsscript.json'), manifest);
  await buildSidebar({ outDir });
}
