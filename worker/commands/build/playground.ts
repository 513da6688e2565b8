// Builds the playground: a page with a spreadsheet that runs the built add-on in the emulated host.
import { createHash } from 'node:crypto';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { stripComments } from '../../../addon/dev/host/services/user-interface.ts';
import { addonDist, root } from '../paths.ts';
import { bundle } from './bundle.ts';
import { waitForParts } from './publish.ts';

const source = join(root, 'addon', 'dev', 'playground');

/**
 * The page loads nothing from other hosts. The grid sets styles from its script and needs 'unsafe-inline' for them.
 */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  // The library of Excel files compresses large ones in workers that it creates from blobs.
  "worker-src 'self' blob:",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];

/** The thread compiles the add-on's script and has no network access; the page makes its calls. */
const THREAD_POLICY = ["default-src 'none'", "script-src 'self' 'unsafe-eval'"];

/**
 * The sidebar runs only its built-in scripts, can be framed only by the playground, and connects only to the events
 * of data requests.
 */
const SIDEBAR_POLICY = [
  "default-src 'none'",
  'connect-src http://127.0.0.1:*/sheets/v1/requests/ http://localhost:*/sheets/v1/requests/',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
];

/**
 * Formats the `_headers` file. The thread blocks on shared memory, which requires the three Cross-Origin headers.
 */
const formatHeaders = (sidebarPolicy: string): string => `/*
  Cross-Origin-Opener-Policy: same-origin
  Cross-Origin-Embedder-Policy: require-corp
  Cross-Origin-Resource-Policy: same-origin
  Content-Security-Policy: ${PAGE_POLICY.join('; ')}
  X-Content-Type-Options: nosniff
  Referrer-Policy: no-referrer

/thread.js
  ! Content-Security-Policy
  Content-Security-Policy: ${THREAD_POLICY.join('; ')}

/sidebar
  ! Content-Security-Policy
  Content-Security-Policy: ${sidebarPolicy}
`;

const listInlineTexts = (html: string, tag: 'script' | 'style'): string[] =>
  [...html.matchAll(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, 'g'))].map(([, text = '']) => text);

/** Formats the policy's hashes of inline texts. */
function formatHashes(texts: readonly string[]): string {
  return texts.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`).join(' ');
}

/** Writes the add-on's sidebar with an emulation of `google.script.run`, and the policy of its frame. */
async function buildSidebarFrame(outDir: string): Promise<void> {
  const [page, tabs, script] = await Promise.all([
    readFile(join(addonDist, 'Sidebar.html'), 'utf8'),
    readFile(join(addonDist, 'SidebarTabs.html'), 'utf8'),
    bundle(join(source, 'sidebar', 'script-run.ts'), { format: 'iife', target: 'es2022' }),
  ]);
  const html = stripComments(page).replace('<head>', () => `<head><script>${script}</script>`);
  const policy = [
    ...SIDEBAR_POLICY,
    `script-src ${formatHashes([...listInlineTexts(html, 'script'), tabs])}`,
    `style-src ${formatHashes(listInlineTexts(html, 'style'))}`,
  ].join('; ');
  await writeFile(join(outDir, 'sidebar.html'), html);
  await writeFile(join(outDir, '_headers'), formatHeaders(policy));
}

/**
 * Builds the playground around the built add-on.
 * @param options - `outDir`: an empty folder that receives the page
 */
export async function buildPlayground({ outDir }: { outDir: string }): Promise<void> {
  const shared: BuildOptions = {
    outdir: outDir,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    legalComments: 'none',
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  };
  await waitForParts([
    build({
      ...shared,
      entryPoints: [join(source, 'main.ts')],
      // Keeps the grid's hyphenation tables in separate files, which a spreadsheet never loads.
      splitting: true,
      chunkNames: 'parts/[name]-[hash]',
    }),
    build({ ...shared, entryPoints: [join(source, 'main.css')] }),
    build({ ...shared, entryPoints: [join(root, 'addon', 'dev', 'host', 'threads', 'thread.ts')] }),
    cp(join(source, 'index.html'), join(outDir, 'index.html')),
    cp(join(source, 'favicon.svg'), join(outDir, 'favicon.svg')),
    cp(addonDist, join(outDir, 'addon'), { recursive: true }),
    buildSidebarFrame(outDir),
  ]);
}
