// Builds the add-on: the script of the formulas, the script that it loads lazily, its sidebar and its manifest.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import * as z from 'zod';
import { type Formula, formulas } from '../../../shared/formulas.ts';
import { root } from '../paths.ts';
import { bundle } from './bundle.ts';
import { buildPayloadRules } from './payload-rules.ts';
import { checkHtmlScript, checkScript, ECMA_VERSION } from './script.ts';
import { buildSidebar } from './sidebar.ts';

/** The variable that holds the bundle's exports. Apps Script hides names that end in _ from callers. */
const BUNDLE_NAME = 'cdapi_';

/** A public function that is not a formula. */
interface Handler {
  help: string;
  parameters?: readonly string[];
}

/** Functions that menus, triggers and the sidebar call by name. */
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

const manifestSchema = z.looseObject({ oauthScopes: z.array(z.string()) });

/** Formats a formula's help as the JSDoc that Google Sheets reads. */
function buildFormulaDocs(formula: Formula): string {
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

function buildDeclaration(name: string): string {
  const formula = formulas.find((candidate) => candidate.name === name);
  const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
  if (formula === undefined && handler === undefined) {
    throw new Error(`${name} is public but has no help text.`);
  }
  const docs = formula === undefined ? `/** ${handler?.help} */` : buildFormulaDocs(formula);
  const names = formula?.parameters.map((parameter) => parameter.name) ?? handler?.parameters ?? [];
  const parameters = names.join(', ');
  return `${docs}\nfunction ${name}(${parameters}) {\n  return ${BUNDLE_NAME}.${name}(${parameters});\n}\n`;
}

const entry = join(root, 'addon', 'index.ts');
/** Entry of the lazily loaded script: menus, triggers and the sidebar's server. */
const lazyEntry = join(root, 'addon', 'lazy-script.ts');

/** Bundles a script whose exports become members of one variable. */
const bundleScript = (entryPoint: string, gateway: string): Promise<string> =>
  bundle(entryPoint, {
    format: 'iife',
    globalName: BUNDLE_NAME,
    target: `es${ECMA_VERSION}`,
    define: { CDAPI_GATEWAY: JSON.stringify(gateway), CDAPI_PAYLOADS: JSON.stringify(buildPayloadRules()) },
  });

async function listExportedNames(): Promise<string[]> {
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

/** Builds the script. Exports of the bundle become its public functions. */
async function buildScript(gateway: string): Promise<string> {
  const [exported, code] = await Promise.all([listExportedNames(), bundleScript(entry, gateway)]);
  return [code, ...exported.sort().map(buildDeclaration)].join('\n');
}

/** Builds the lazily loaded script. Its value is the object of its functions. */
async function buildLazyScript(gateway: string): Promise<string> {
  return `${await bundleScript(lazyEntry, gateway)}${BUNDLE_NAME};\n`;
}

/** Builds the manifest. A release may call only its own gateway. */
async function buildManifest(gateway: string): Promise<string> {
  const manifest = manifestSchema.parse(
    JSON.parse(await readFile(join(root, 'addon', 'appsscript.json'), 'utf8')),
  );
  const restricted = gateway === '' ? manifest : { ...manifest, urlFetchWhitelist: [`${gateway}/`] };
  return `${JSON.stringify(restricted, null, 2)}\n`;
}

/**
 * Builds the add-on.
 * @param options - `outDir`: receives `Code.js`, `Later.html`, `Sidebar.html` and `appsscript.json`; `gateway`:
 * origin of the only gateway that it works with, without a trailing slash; absent for any gateway
 * @throws Error if a public function has no help, a script cannot run in Apps Script, or a file is too large
 */
export async function buildAddon({
  outDir,
  gateway = '',
}: {
  outDir: string;
  gateway?: string;
}): Promise<void> {
  const [code, lazyScript, manifest] = await Promise.all([
    buildScript(gateway),
    buildLazyScript(gateway),
    buildManifest(gateway),
  ]);
  await Promise.all([checkScript('Code.js', code), checkHtmlScript('Later.html', lazyScript)]);
  await mkdir(outDir, { recursive: true });
  await writeFile(join(outDir, 'Code.js'), code);
  await writeFile(join(outDir, 'Later.html'), lazyScript);
  await writeFile(join(outDir, 'appsscript.json'), manifest);
  await buildSidebar({ outDir });
}
