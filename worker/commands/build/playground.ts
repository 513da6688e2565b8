// Builds the playground: a page with a spreadsheet that runs the built add-on in the emulated host.
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { addonDist, root } from '../paths.ts';

const source = join(root, 'addon', 'playground');

/** The page loads nothing from another host. The grid sets styles from its script, hence 'unsafe-inline' for those. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];

/** The thread compiles the add-on's script, and reaches nothing: its network is the page's. */
const THREAD_POLICY = ["default-src 'none'", "script-src 'self' 'unsafe-eval'"];

/** Shared memory, by which the thread waits for the page, needs the first three. */
const headers = `/*
  Cross-Origin-Opener-Policy: same-origin
  Cross-Origin-Embedder-Policy: require-corp
  Cross-Origin-Resource-Policy: same-origin
  Content-Security-Policy: ${PAGE_POLICY.join('; ')}
  X-Content-Type-Options: nosniff
  Referrer-Policy: no-referrer

/thread.js
  ! Content-Security-Policy
  Content-Security-Policy: ${THREAD_POLICY.join('; ')}
`;

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
    build({ ...shared, entryPoints: [join(root, 'addon', 'host', 'thread.ts')] }),
    cp(join(source, 'index.html'), join(outDir, 'index.html')),
    cp(join(source, 'favicon.svg'), join(outDir, 'favicon.svg')),
    cp(addonDist, join(outDir, 'addon'), { recursive: true }),
    writeFile(join(outDir, '_headers'), headers),
  ]);
  // Only when all have ended is the folder the caller's to remove.
  for (const part of parts) if (part.status === 'rejected') throw part.reason;
}
