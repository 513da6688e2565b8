// HtmlService in the realm: pages for sidebars and dialogs.
import { type Bridge, createException } from '../bridge.ts';
import { emulateObject, enumeration, method } from '../emulated.ts';

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
export function getPage(output: unknown): Page {
  const page = pages.get(Object(output));
  if (!page) throw createException('Invalid argument: userInterface');
  return page;
}

function createHtmlOutput(initial: Page): object {
  const page = (): Page => getPage(self);
  const update = (changes: Partial<Page>): object => {
    pages.set(self, { ...page(), ...changes });
    return self;
  };
  const self = emulateObject(HTML_OUTPUT, {
    append: method((text) => update({ html: page().html + String(text) }), 'String'),
    clear: method(() => update({ html: '' })),
    getContent: method(() => page().html),
    setContent: method((html) => update({ html: String(html) }), 'String'),
    // Reference "getTitle": null if unset.
    getTitle: method(() => page().title || null),
    setTitle: method((title) => update({ title: String(title) }), 'String'),
    getWidth: method(() => page().width),
    setWidth: method((width) => update({ width: Number(width) }), 'Integer'),
    getHeight: method(() => page().height),
    setHeight: method((height) => update({ height: Number(height) }), 'Integer'),
    // Reference "setSandboxMode": has no effect; every page uses IFRAME.
    setSandboxMode: method(() => self, SANDBOX_MODE),
  });
  pages.set(self, initial);
  return self;
}

/** Reference "HtmlTemplate", getRawContent: the unprocessed file. Scriptlets are not emulated. */
function createHtmlTemplate(content: unknown): object {
  return emulateObject('HtmlService.HtmlTemplate', { getRawContent: method(() => content) });
}

/**
 * Creates HtmlService. Of templates only the raw content is emulated.
 * @param readFile - reads a file of the project
 */
export function createHtmlService(bridge: Bridge, readFile: (name: string) => string): object {
  const open = (call: string, name: unknown): string => readFile(String(bridge.call(call, name)));
  const output = (html: unknown): object =>
    createHtmlOutput({ html: String(html), title: '', width: null, height: null });
  return emulateObject(
    'HtmlService',
    {
      createHtmlOutput: method((html) => output(html ?? ''), '', 'String'),
      createHtmlOutputFromFile: method(
        (name) => output(open('HtmlService.createHtmlOutputFromFile', name)),
        'String',
      ),
      createTemplateFromFile: method(
        (name) => createHtmlTemplate(open('HtmlService.createTemplateFromFile', name)),
        'String',
      ),
    },
    { SandboxMode: enumeration(SANDBOX_MODE, ['EMULATED', 'IFRAME', 'NATIVE']) },
  );
}
