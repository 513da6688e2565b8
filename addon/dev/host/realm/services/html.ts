// HtmlService in the realm: pages for sidebars and dialogs.
import { type Bridge, exception } from '../bridge.ts';
import { emulated, enumeration, method } from '../emulated.ts';

/** Class name, for parameter lists. */
export const HTML_OUTPUT = 'HtmlService.HtmlOutput';
const SANDBOX_MODE = 'HtmlService.SandboxMode';

/** Sizes are in pixels; null if unset. */
export interface Page {
  readonly html: string;
  readonly title: string;
  readonly width: number | null;
  readonly height: number | null;
}

const pages = new WeakMap<object, Page>();

/** Returns a page's content; throws for other values. */
export function pageOf(output: unknown): Page {
  const page = pages.get(Object(output));
  if (!page) throw exception('Invalid argument: userInterface');
  return page;
}

function htmlOutput(start: Page): object {
  const page = (): Page => pageOf(self);
  const change = (changes: Partial<Page>): object => {
    pages.set(self, { ...page(), ...changes });
    return self;
  };
  const self = emulated(HTML_OUTPUT, {
    append: method((text) => change({ html: page().html + String(text) }), 'String'),
    clear: method(() => change({ html: '' })),
    getContent: method(() => page().html),
    setContent: method((html) => change({ html: String(html) }), 'String'),
    // Reference "getTitle": null if unset.
    getTitle: method(() => page().title || null),
    setTitle: method((title) => change({ title: String(title) }), 'String'),
    getWidth: method(() => page().width),
    setWidth: method((width) => change({ width: Number(width) }), 'Integer'),
    getHeight: method(() => page().height),
    setHeight: method((height) => change({ height: Number(height) }), 'Integer'),
    // Reference "setSandboxMode": has no effect; every page uses IFRAME.
    setSandboxMode: method(() => self, SANDBOX_MODE),
  });
  pages.set(self, start);
  return self;
}

/** Reference "HtmlTemplate", getRawContent: the unprocessed file. Scriptlets are not emulated. */
function htmlTemplate(content: unknown): object {
  return emulated('HtmlService.HtmlTemplate', { getRawContent: method(() => content) });
}

/** Creates HtmlService. Of templates only the raw content is emulated. */
export function htmlService(bridge: Bridge): object {
  const output = (html: unknown): object =>
    htmlOutput({ html: String(html), title: '', width: null, height: null });
  return emulated(
    'HtmlService',
    {
      createHtmlOutput: method((html) => output(html ?? ''), '', 'String'),
      createHtmlOutputFromFile: method(
        (name) => output(bridge.ask('HtmlService.createHtmlOutputFromFile', name)),
        'String',
      ),
      createTemplateFromFile: method(
        (name) => htmlTemplate(bridge.ask('HtmlService.createTemplateFromFile', name)),
        'String',
      ),
    },
    { SandboxMode: enumeration(SANDBOX_MODE, ['EMULATED', 'IFRAME', 'NATIVE']) },
  );
}
