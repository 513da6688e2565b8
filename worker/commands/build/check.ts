// Builds the live check: a script that tries in Google Sheets what the add-on assumes. It is not part of the add-on.
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../paths.ts';
import { buildLazyScript, buildManifest } from './addon.ts';
import { BUNDLE_NAME, buildPublicScript, bundle, HTML_SCRIPT } from './bundle.ts';
import { checkScript } from './script.ts';

const source = join(root, 'addon', 'dev', 'check');
const entry = join(source, 'index.ts');

/** The add-on whose second script and scopes the check uses. */
const addonTarget = { gateway: '', identity: false };

const SCRIPT = '/* page.js */';

function buildDeclaration(name: string): string {
  return `function ${name}(...values) {\n  return ${BUNDLE_NAME}.${name}(...values);\n}\n`;
}

const describeFile = (text: string) => ({
  length: text.length,
  sha256: createHash('sha256').update(text).digest('hex'),
});

function buildScript(gateway: string, files: Readonly<Record<string, string>>): Promise<string> {
  const described = Object.entries(files).map(([name, text]) => [name, describeFile(text)]);
  const constants = { CHECK_GATEWAY: gateway, CHECK_FILES: Object.fromEntries(described) };
  return buildPublicScript(entry, constants, buildDeclaration);
}

async function buildPage(gateway: string): Promise<string> {
  const [page, script] = await Promise.all([
    readFile(join(source, 'page', 'index.html'), 'utf8'),
    bundle(join(source, 'page', 'page.ts'), {
      ...HTML_SCRIPT,
      format: 'iife',
      target: 'es2022',
      define: { CHECK_GATEWAY: JSON.stringify(gateway) },
    }),
  ]);
  return page.replace(SCRIPT, () => script.replaceAll('</', '<\\/'));
}

/**
 * Builds the check.
 * @param options - `outDir`: receives the files of the Apps Script project; `gateway`: origin of the gateway that the
 * check calls; '' for none
 * @throws Error if the script cannot run in Apps Script
 */
export async function buildCheck({ outDir, gateway }: { outDir: string; gateway: string }): Promise<void> {
  const [later, literals, page, manifest] = await Promise.all([
    buildLazyScript(addonTarget),
    readFile(join(source, 'literals.html'), 'utf8'),
    buildPage(gateway),
    // The scopes of the add-on, so that Google restricts both alike.
    buildManifest(addonTarget),
  ]);
  const code = await buildScript(gateway, { Later: later, Literals: literals });
  await checkScript('Code.js', code);
  await mkdir(outDir, { recursive: true });
  await Promise.all([
    writeFile(join(outDir, 'Code.js'), code),
    writeFile(join(outDir, 'Later.html'), later),
    writeFile(join(outDir, 'Literals.html'), literals),
    writeFile(join(outDir, 'Page.html'), page),
    writeFile(join(outDir, 'appsscript.json'), manifest),
  ]);
}
