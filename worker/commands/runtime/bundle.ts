// Bundles a Worker into one module with the settings of wrangler.
import { build } from 'esbuild';

/**
 * Bundles a Worker.
 * @param entry - path of the entry module
 * @param minify - makes it smaller
 * @returns the module's source
 */
export async function bundleWorker(entry: string, minify = false): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    minify,
    format: 'esm',
    target: 'es2024',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*', 'node:*'],
    keepNames: false,
    write: false,
    logLevel: 'error',
  });
  return outputFiles.map((file) => file.text).join('\n');
}
