// Builds the add-on: the script of the formulas, the script that it loads lazily, its sidebar and its manifest.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';
import type { Formula } from '../../../shared/formula-parts.ts';
import { formulas } from '../../../shared/formulas.ts';
import { root } from '../paths.ts';
import { BUNDLE_NAME, buildPublicScript, bundleScript, HTML_SCRIPT } from './bundle.ts';
import { buildPayloadRules } from './payload-rules.ts';
import { waitForParts } from './publish.ts';
import { checkHtmlScript, checkScript, MAX_SCRIPT_BYTES, MAX_SINGLE_SCRIPT_BYTES } from './script.ts';
import { bindSeparators, buildSidebar } from './sidebar.ts';

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
  cdapiOnEdit: {
    help: 'Installable trigger: fills new rows of tables that are kept filled.',
    parameters: ['event'],
  },
  completeOnOpening: { help: 'Menu item: switches the installable triggers on or off.' },
  connect: { help: 'Menu item: asks for a connection link.' },
  disconnect: { help: 'Menu item: forgets the connection.' },
  freezeSelection: { help: 'Menu item: turns the formulas of the selection into values.' },
  freezeSheet: { help: 'Menu item: turns the formulas of the sheet into values.' },
  help: { help: 'Menu item: says what there is.' },
  onInstall: { help: 'Simple trigger: makes the menu after the add-on was installed.' },
  openSidebar: { help: 'Menu item: shows the sidebar.' },
  onOpen: { help: 'Simple trigger: makes the menu when the spreadsheet is opened.', parameters: ['event'] },
  refreshSelection: { help: 'Menu item: runs the formulas of the selection again.' },
  useFormulas: { help: 'Menu item: is used, so that Google registers the formulas in this spreadsheet.' },
};

const manifestSchema = z.looseObject({ oauthScopes: z.array(z.string()) });

/** Formats a formula's help as the JSDoc that Google Sheets reads. */
function buildFormulaDocs(formula: Formula): string {
  const parameters = formula.parameters.map(({ name, type, optional, example, isRarelyUsed, help }) => {
    const shown = optional ? `[${name}]` : name;
    return ` * @param {${type}} ${shown} ${help}${isRarelyUsed ? '' : ` Example: ${example}`}`;
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
/** Entry of a script that loads nothing. It has the same public functions. */
const singleEntry = join(root, 'addon', 'single-script.ts');

interface BuildTarget {
  /** Origin of the only gateway; '' for any. */
  gateway: string;
  /** Connects people through their Google accounts. */
  identity: boolean;
}

/** Scopes of identity tokens: https://developers.google.com/apps-script/guides/services/cloud-run. */
const IDENTITY_SCOPES = ['openid', 'https://www.googleapis.com/auth/userinfo.email'];

const defineConstants = ({ gateway, identity }: BuildTarget) => ({
  CDAPI_GATEWAY: gateway,
  CDAPI_IDENTITY: identity,
  CDAPI_PAYLOADS: buildPayloadRules(),
});

/** Builds the lazily loaded script. Its value is the object of its functions. */
export async function buildLazyScript(target: BuildTarget): Promise<string> {
  const script = await bundleScript(lazyEntry, defineConstants(target), HTML_SCRIPT);
  return `${script}\n${BUNDLE_NAME};\n`;
}

/** Builds the manifest. A release may call only its own gateway. */
export async function buildManifest({ gateway, identity }: BuildTarget): Promise<string> {
  const manifest = manifestSchema.parse(
    JSON.parse(await readFile(join(root, 'addon', 'appsscript.json'), 'utf8')),
  );
  const restricted = {
    ...manifest,
    oauthScopes: [...manifest.oauthScopes, ...(identity ? IDENTITY_SCOPES : [])],
    ...(gateway === '' ? {} : { urlFetchWhitelist: [`${gateway}/`] }),
  };
  return `${JSON.stringify(restricted, null, 2)}\n`;
}

/** Writes Code.js, and Later.html unless all is in one script. */
async function writeScripts(outDir: string, target: BuildTarget, singleScript: boolean): Promise<void> {
  const code = await buildPublicScript(
    singleScript ? singleEntry : entry,
    defineConstants(target),
    buildDeclaration,
  );
  await checkScript('Code.js', code, singleScript ? MAX_SINGLE_SCRIPT_BYTES : MAX_SCRIPT_BYTES);
  await writeFile(join(outDir, 'Code.js'), code);
  if (singleScript) return;
  const lazyScript = await buildLazyScript(target);
  await checkHtmlScript('Later.html', lazyScript);
  await writeFile(join(outDir, 'Later.html'), lazyScript);
}

/** Files with the texts of languages other than English, by their names: `addon/texts/person.ts` reads them. */
const languages: Readonly<Record<string, string>> = { German: 'de' };

const textsSchema = z.object({ texts: z.record(z.string(), z.string()) });

/** Writes the texts of each language as JSON. Only scripts and pages of people with that language load them. */
async function writeTexts(outDir: string): Promise<void> {
  for (const [name, folder] of Object.entries(languages)) {
    const source = pathToFileURL(join(root, 'addon', 'texts', folder, 'index.ts'));
    const { texts } = textsSchema.parse(await import(source.href));
    // In the scripts of the page, separators are bound, and so are its keys.
    const bound = Object.entries(texts).map((text) => text.map(bindSeparators));
    const file = JSON.stringify({ ...texts, ...Object.fromEntries(bound) });
    if (file.includes('<')) throw new Error(`${name}.html holds "<", which HtmlService may read as markup.`);
    await writeFile(join(outDir, `${name}.html`), file);
  }
}

export interface AddonOptions {
  /** Receives `Code.js`, `Later.html`, `Sidebar.html`, `SidebarTabs.html`, `German.html` and `appsscript.json`. */
  outDir: string;
  /** Origin of the only gateway that it works with, without a trailing slash; absent for any gateway. */
  gateway?: string;
  /** Builds no `Later.html`: `Code.js` then loads nothing and needs no eval. */
  singleScript?: boolean;
  /** Connects people through their Google accounts. Needs a gateway. */
  identity?: boolean;
}

/**
 * Builds the add-on.
 * @throws Error if a public function has no help, a script cannot run in Apps Script, or a file is too large
 */
export async function buildAddon({
  outDir,
  gateway = '',
  singleScript = false,
  identity = false,
}: AddonOptions): Promise<void> {
  const target = { gateway, identity };
  await mkdir(outDir, { recursive: true });
  await waitForParts([
    writeScripts(outDir, target, singleScript),
    buildManifest(target).then((manifest) => writeFile(join(outDir, 'appsscript.json'), manifest)),
    buildSidebar({ outDir }),
    writeTexts(outDir),
  ]);
}
