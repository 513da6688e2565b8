// The first steps of a new visitor, above the spreadsheet: each gets a check mark once it is done.
import { SetRangeValuesMutation } from '@univerjs/preset-sheets-core';
import { normaliseWebsite } from '../../../../shared/keys/index.ts';
import { isObject } from '../../../../shared/lib/is-object.ts';
import { onCommands } from '../grid/commands.ts';
import type { Grid } from '../grid/grid.ts';
import type { CallScript } from '../sidebar/sidebar.ts';
import { withStorage } from './sample-bar.ts';

const STEPS = ['paste', 'price', 'enrich'] as const;
type Step = (typeof STEPS)[number];

/** Where the browser keeps the finished steps; all of them count as dismissed. */
const STORAGE_KEY = 'cdapi-first-steps';

function readDone(): Set<Step> {
  const stored = withStorage((storage) => storage.getItem(STORAGE_KEY)) ?? '';
  return new Set(STEPS.filter((step) => stored.split(' ').includes(step)));
}

const saveDone = (done: Iterable<Step>): void =>
  withStorage((storage) => storage.setItem(STORAGE_KEY, [...done].join(' ')));

/** Tells whether a change of cells holds a website. */
function hasWebsite(change: unknown): boolean {
  if (!isObject(change)) return false;
  if (typeof change.v === 'string') return normaliseWebsite(change.v).ok;
  return Object.values(change).some(hasWebsite);
}

/** Reads the method of a call of the sidebar. */
function parseMethod(name: string, [json]: readonly unknown[]): unknown {
  if (name !== 'cdapiSidebar' || typeof json !== 'string') return undefined;
  const call: unknown = JSON.parse(json);
  return isObject(call) ? call.method : undefined;
}

/** Tells whether a reply of the sidebar's script has a value. */
function isSuccess(reply: unknown): boolean {
  const parsed: unknown = typeof reply === 'string' ? JSON.parse(reply) : undefined;
  return isObject(parsed) && parsed.ok === true;
}

export class FirstSteps {
  readonly #card: HTMLElement;
  readonly #done = readDone();
  #isScriptWriting = false;

  /**
   * Shows the card unless it was finished or dismissed.
   * @param card - with a list item `step-…` for each step, and a button
   * @param hasWebsites - whether the workbook has websites to enrich
   */
  constructor(card: HTMLElement, hasWebsites: boolean) {
    this.#card = card;
    for (const text of card.querySelectorAll<HTMLElement>('[data-websites]'))
      text.hidden = (text.dataset.websites === 'ready') !== hasWebsites;
    card.hidden = this.#done.size === STEPS.length;
    for (const step of this.#done) this.#mark(step);
    card.querySelector('button')?.addEventListener('click', () => {
      card.hidden = true;
      saveDone(STEPS);
    });
  }

  /** Watches what a person enters into the spreadsheet. */
  watchGrid(grid: Grid): void {
    onCommands(grid, [SetRangeValuesMutation], (params, options) => {
      if (this.#isScriptWriting || options?.fromFormula === true) return;
      if (isObject(params) && hasWebsite(params.cellValue)) this.#finish('paste');
    });
  }

  /** Runs a script's writes, which are not those of a person. */
  ignoreWrites(write: () => void): void {
    this.#isScriptWriting = true;
    try {
      write();
    } finally {
      this.#isScriptWriting = false;
    }
  }

  watchCalls(call: CallScript): CallScript {
    return async (name, args) => {
      const method = parseMethod(name, args);
      const reply = await call(name, args);
      if (!isSuccess(reply)) return reply;
      if (method === 'startEnrich') this.#finish('enrich');
      // The sidebar opens with the price of the websites that are there.
      if (method === 'planEnrich' && this.#done.has('paste')) this.#finish('price');
      return reply;
    };
  }

  /** Finishes a step and those before it. */
  #finish(step: Step): void {
    if (this.#done.has(step)) return;
    for (const each of STEPS.slice(0, STEPS.indexOf(step) + 1)) {
      this.#done.add(each);
      this.#mark(each);
    }
    saveDone(this.#done);
  }

  #mark(step: Step): void {
    const item = this.#card.querySelector(`#step-${step}`);
    item?.classList.add('done');
    const mark = item?.querySelector('.mark');
    mark?.setAttribute('aria-label', 'Done');
    if (mark) mark.textContent = '✓';
  }
}
