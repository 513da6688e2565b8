// Attacks of people who use the add-on, and can't open its Apps Script project, on the company's connection.
import { describe, expect, it } from 'vitest';
import { sidebarPayloads } from '../../shared/api/sidebar.ts';
import { companyFormulasProperty, companyProperty } from '../../shared/connection.ts';
import { formulas } from '../../shared/formulas.ts';
import { pickCases } from '../pick-cases.ts';
import { ADMIN, openOfCompany, script, TOKENS, toLink, VIEWER } from './company-accounts.ts';
import { readBuiltAddon } from './spreadsheet.ts';

const OWN_LINK = toLink(TOKENS.person);

/** Payloads that name the property in every way that a careless handler could pass on. */
const PAYLOADS = [
  { for: 'company', link: OWN_LINK },
  {},
  { id: companyProperty, runId: companyProperty, tableId: companyProperty, tab: companyProperty },
  { for: 'script', link: OWN_LINK, name: companyProperty, key: companyProperty, value: OWN_LINK },
];

/** The script's properties without the one that people of the company change: whether formulas here use its connection. */
function listForeign(properties: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(properties).filter(([name]) => name !== companyFormulasProperty('workbook')),
  );
}

describe('a person without access to the script project', () => {
  it('opens Project Settings to replace the link: refused', async () => {
    const { host } = await openOfCompany({ scriptEditors: [ADMIN] });
    expect(() => host.editScriptProperty(VIEWER, companyProperty, OWN_LINK)).toThrow('You need access');
    expect(host.properties.script).toEqual(script);
  });

  it('calls every method of the sidebar with forged payloads: the link stays, and no answer contains the token', async () => {
    const lines: string[] = [];
    const { host, shown } = await openOfCompany({ onLog: ({ text }) => lines.push(text) });
    const replies: unknown[] = [];
    for (const method of Object.keys(sidebarPayloads)) {
      for (const payload of pickCases(PAYLOADS, 2)) {
        replies.push(await host.call('cdapiSidebar', [JSON.stringify({ method, payload })]));
      }
    }
    expect(replies.length).toBeGreaterThan(80);
    expect(listForeign(host.properties.script)).toEqual(script);
    const { document, user } = host.properties;
    expect(JSON.stringify([replies, shown, lines, document, user])).not.toContain(TOKENS.company);
  });

  it('calls every public function from the page, and private ones: the link stays, and no answer contains the token', async () => {
    const { host } = await openOfCompany();
    const answers: unknown[] = [];
    for (const { name } of host.functions) {
      answers.push(await host.call(name, [companyProperty, OWN_LINK]).catch(String));
    }
    expect(listForeign(host.properties.script)).toEqual(script);
    expect(JSON.stringify(answers)).not.toContain(TOKENS.company);
    for (const name of ['cdapi_', 'cdapi_.connect', 'setCompanyLink', 'PropertiesService']) {
      await expect(host.call(name, [OWN_LINK])).rejects.toThrow(/is not a function/);
    }
  });

  it('asks for the token by formulas: no cell and no tooltip contains it', async () => {
    const { evaluate, host } = await openOfCompany();
    const results: unknown[] = [];
    for (const { name } of formulas) {
      for (const argument of [undefined, companyProperty, 'a.com', 'company_clean', OWN_LINK]) {
        results.push(await evaluate(name, argument, argument));
      }
    }
    expect(JSON.stringify([results, host.workbook])).not.toContain(TOKENS.company);
    expect(host.properties.script).toEqual(script);
  });

  it('connects to a gateway of their own: it never receives the company’s token', async () => {
    const { host, requests } = await openOfCompany();
    const link = toLink(TOKENS.person, 'https://collector.example');
    const payload = { link, for: 'sheet' };
    await host.call('cdapiSidebar', [JSON.stringify({ method: 'connect', payload })]);
    const collected = requests.filter(({ url }) => url.startsWith('https://collector.example/'));
    expect(new Set(collected.map(({ headers }) => headers.Authorization))).toEqual(
      new Set([`Bearer ${TOKENS.person}`]),
    );
  });
});

it('a handler could write script properties: the built scripts only read single ones, and write one by its fixed name', async () => {
  const { code, files = {} } = await readBuiltAddon();
  const READ = /^\.getProperty\([\w$]/;
  // The name is that of a function without arguments, so no caller chooses it.
  const WRITE = /^\.setProperty\([\w$]+\(\),/;
  for (const text of [code, ...Object.values(files)]) {
    const uses = [...text.matchAll(/getScriptProperties\(\)([\s\S]{0,48})/g)].map(([, use = '']) => use);
    expect(uses.filter((use) => !READ.test(use) && !WRITE.test(use))).toEqual([]);
    expect(uses.filter((use) => WRITE.test(use)).length).toBeLessThanOrEqual(1);
    expect(text).not.toMatch(/\[\s*["'`]get(?:Script|User|Document)Properties/);
  }
  expect(code).toContain('getScriptProperties()');
});
