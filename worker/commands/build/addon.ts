// Builds the add-on: one script whose public names are top-level functions with their help, and its manifest.
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { type Formula, formulas } from '../../../shared/formulas.ts';
import { root } from '../paths.ts';

/** Apps Script runs no later ECMAScript for certain. */
const TARGET = 'es2020';

/** Holds the bundle's exports; a name that ends in _ can't be called from outside. */
const BUNDLE = 'cdapi_';

/** What a public name that is no formula is for. */
const handlers: Readonly<Record<string, string>> = {
  connect: 'Menu item: asks for a connection link.',
  onInstall: 'Simple trigger: makes the menu after the add-on was installed.',
  onOpen: 'Simple trigger: makes the menu when the spreadsheet is opened.',
};

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
  const help = handlers[name];
  if (formula === undefined && help === undefined)
    throw new Error(`${name} is public, but nothing says what it is for.`);
  const docs = formula === undefined ? `/** ${help} */` : formulaDocs(formula);
  const parameters = (formula?.parameters ?? []).map((parameter) => parameter.name).join(', ');
  return `${docs}\nfunction ${name}(${parameters}) {\n  return ${BUNDLE}.${name}(${parameters});\n}\n`;
}

/**
 * Builds the add-on.
 * @param options - `outDir`: where `Code.js` and `appsscript.json` are written
 * @throws Error where a public name has no help
 */
export async function buildAddon({ outDir }: { outDir: string }): Promise<void> {
  const shared: BuildOptions = {
    entryPoints: [join(root, 'addon', 'index.ts')],
    bundle: true,
    target: TARGET,
    logLevel: 'error',
  };
  const listed = await build({ ...shared, format: 'esm', outdir: outDir, metafile: true, write: false });
  const exported = Object.values(listed.metafile.outputs).flatMap((output) => output.exports);
  const bundled = await build({
    ...shared,
    format: 'iife',
    globalName: BUNDLE,
    charset: 'utf8',
    legalComments: 'none',
    write: false,
  });
  const code = bundled.outputFiles.map((file) => file.text).join('\n');
  await mkdir(outDir, { recursive: true });
  await writeFile(join(outDir, 'Code.js'), [code, ...exported.sort().map(declaration)].join('\n'));
  await cp(join(root, 'addon', 'appsscript.json'), join(outDir, 'appsscript.json'));
}
