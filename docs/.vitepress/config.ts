// The documentation site: npm run docs serves it, npm run docs:build writes static files to dist/docs.
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { renderMermaidSVG } from 'beautiful-mermaid';
import { defineConfig, type MarkdownOptions } from 'vitepress';
import { slugify } from './slugify.ts';

type MarkdownIt = Parameters<NonNullable<MarkdownOptions['config']>>[0];

/** The renderer imports its font from another host. */
const FONT_IMPORT = /@import url\([^)]*\);?/;

/** Draws Mermaid diagrams while the pages are built, so that readers load no script for them. */
function drawDiagrams({ renderer }: MarkdownIt): void {
  const renderFence = renderer.rules.fence;
  renderer.rules.fence = (...parameters) => {
    const [tokens, at] = parameters;
    const token = tokens[at];
    if (token?.info.trim() !== 'mermaid') return renderFence?.(...parameters) ?? '';
    const svg = renderMermaidSVG(token.content, {
      bg: 'var(--vp-c-bg)',
      fg: 'var(--vp-c-text-1)',
      muted: 'var(--vp-c-text-1)',
      line: 'var(--vp-c-text-2)',
      font: 'system-ui',
      transparent: true,
    }).replace(FONT_IMPORT, '');
    return `<div v-pre style="overflow-x:auto">${svg}</div>`;
  };
}

/** Shows links to sources and folders as plain text: the site has only the pages of docs/. */
function unlinkSources({ core }: MarkdownIt): void {
  core.ruler.push('unlink_sources', ({ tokens, env }) => {
    const folder = dirname(String(env.relativePath));
    const isPage = (href: string): boolean => {
      if (/^(?:\w+:|#|\/)/.test(href)) return true;
      const [path = ''] = href.split('#');
      return /\.(?:md|html)$/.test(path) && !join(folder, path).startsWith('..');
    };
    for (const { children } of tokens) {
      let isUnlinked = false;
      for (const token of children ?? []) {
        if (token.type === 'link_open') isUnlinked = !isPage(token.attrGet('href') ?? '');
        if (!isUnlinked || !token.type.startsWith('link_')) continue;
        token.tag = 'span';
        token.attrs = [];
      }
    }
  });
}

const guides = {
  'For sellers': ['formulas', 'troubleshooting', 'schedules', 'push', 'mcp', 'languages'],
  'For admins': [
    'install',
    'deploy',
    'admin',
    'metrics',
    'limits',
    'scale',
    'storage',
    'storage-limits',
    'security',
  ],
  'For developers': ['sandbox', 'api-stability'],
  'For contributors': [
    'architecture',
    'glossary',
    'consistency',
    'promises',
    'google-assumptions',
    'dependencies',
    'benchmarks',
  ],
};

const titles: Readonly<Record<string, string>> = {
  'api-stability': 'API stability',
  mcp: 'Assistants',
  'google-assumptions': 'Assumptions about Google',
};

const toTitle = (page: string): string => titles[page] ?? page.charAt(0).toUpperCase() + page.slice(1);

function listDecisions(): { text: string; link: string }[] {
  return readdirSync(join(import.meta.dirname, '../decisions'))
    .sort()
    .map((file) => ({
      text: file.replace(/\.md$/, '').replaceAll('-', ' '),
      link: `/decisions/${file}`,
    }));
}

export default defineConfig({
  title: 'CDAPI for Sheets',
  description: 'Professional data in a spreadsheet, through a gateway that never pays twice.',
  outDir: '../dist/docs',
  cacheDir: '../dist/docs-cache',
  cleanUrls: false,
  // The default targets are older than what the project's esbuild compiles to.
  vite: { build: { target: 'es2022' }, optimizeDeps: { esbuildOptions: { target: 'es2022' } } },
  markdown: {
    anchor: { slugify },
    config(markdown) {
      drawDiagrams(markdown);
      unlinkSources(markdown);
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: 'deep',
    sidebar: [
      ...Object.entries(guides).map(([text, pages]) => ({
        text,
        items: pages.map((page) => ({ text: toTitle(page), link: `/${page}` })),
      })),
      { text: 'Decisions', collapsed: true, items: listDecisions() },
    ],
  },
});
