// Builds the playground: a page with a spreadsheet that runs the built add-on in the emulated host.
import { createHash } from 'node:crypto';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { addonDist, root } from '../paths.ts';

const source = join(root, 'addon', 'dev', 'playground');

/** The page loads nothing from another host. The grid sets styles from its script, hence 'unsafe-inline' for those. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];

/** The thread compiles the add-on's script, and reaches nothing: its network is the page's. */
const THREAD_POLICY = ["default-src 'none'", "script-src 'self' 'unsafe-eval'"];

/**
 * The sidebar runs what was built into it and nothing else, stands in the playground's page alone, and reaches nobody but
 * the events of data requests.
 */
const SIDEBAR_POLICY = [
  "default-src 'none'",
  'connect-src http://127.0.0.1:*/sheets/v1/requests/ http://localhost:*/sheets/v1/requests/',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
];

/** Shared memory, by which the thread waits for the page, needs the first three. */
const headersFor = (sidebarPolicy: string): string => `/*
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

/** What the policy calls a text between two tags: by its hash. */
function hashes(html: string, tag: 'script' | 'style'): string {
  const texts = [...html.matchAll(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, 'g'))].map(
    ([, text = '']) => text,
  );
  return texts.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`).join(' ');
}

/** The add-on's sidebar with Google's part of the page in it, as a frame, and the policy of that frame. */
async function buildSidebarFrame(outDir: string): Promise<void> {
  const [page, bridge] = await Promise.all([
    readFile(join(addonDist, 'Sidebar.html'), 'utf8'),
    build({
      entryPoints: [join(source, 'sidebar', 'script-run.ts')],
      bundle: true,
      minify: true,
      format: 'iife',
      target: 'es2022',
      write: false,
      logLevel: 'error',
    }),
  ]);
  const script = bridge.outputFiles.map(({ text }) => text.trim()).join('');
  const html = page.replace('<head>', () => `<head><script>${script}</script>`);
  const policy = [
    ...SIDEBAR_POLICY,
    `script-src ${hashes(html, 'script')}`,
    `style-src ${hashes(html, 'style')}`,
  ].join('; ');
  await writeFile(join(outDir, 'sidebar.html'), html);
  await writeFile(join(outDir, '_headers'), headersFor(policy));
}

/**
 * Builds the playground around the built add-on.
 * @param options - `outDir`: an empty folder, where the page is written
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
  const parts = await Promise.allSettled([
    build({
      ...shared,
      entryPoints: [join(source, 'main.ts')],
      // The grid's hyphenation tables stay files of their own, which a spreadsheet never loads.
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
  // Only when all have ended is the folder the caller's to remove.
  for (const part of parts) if (part.status === 'rejected') throw part.reason;
}
