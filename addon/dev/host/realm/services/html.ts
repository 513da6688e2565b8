// HtmlService in the realm: pages for sidebars.
import { type Bridge, createException } from '../bridge.ts';
import { emulateObject, method } from '../emulated.ts';

/** Class name, for parameter lists. */
export const HTML_OUTPUT = 'HtmlService.HtmlOutput';

export interface Page {
  readonly html: string;
  readonly title: string;
}

const pages = new WeakMap<object, Page>();

/** Returns a page's content; throws for other values. */
export function getPage(output: unknown): Page {
  const page = pages.get(Object(output));
  if (!page) throw createException('Invalid argument: userInterface');
  return page;
}

function createHtmlOutput(html: string): object {
  const self = emulateObject(HTML_OUTPUT, {
    setTitle: method((title) => {
      pages.set(self, { html, title: String(title) });
      return self;
    }, 'String'),
  });
  pages.set(self, { html, title: '' });
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
  return emulateObject('HtmlService', {
    createHtmlOutputFromFile: method(
      (name) => createHtmlOutput(open('HtmlService.createHtmlOutputFromFile', name)),
      'String',
    ),
    createTemplateFromFile: method(
      (name) => createHtmlTemplate(open('HtmlService.createTemplateFromFile', name)),
      'String',
    ),
  });
}
