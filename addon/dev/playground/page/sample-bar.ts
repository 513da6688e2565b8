// The bar above the spreadsheet that offers to run the samples of the open sheet, with their price.
import { SetRangeValuesMutation, SetWorksheetActiveOperation } from '@univerjs/preset-sheets-core';
import { formatCount, formatNumber } from '../../../../shared/lib/format-count.ts';
import { onCommands } from '../grid/commands.ts';
import type { Grid } from '../grid/grid.ts';
import type { TeamCredits } from '../network.ts';
import type { Sample } from '../workbook/sample.ts';

/** Returns undefined where the browser blocks its storage: the page then remembers nothing. */
export function withStorage<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(localStorage);
  } catch {
    return undefined;
  }
}

/** Where the browser keeps the sheets whose samples a person did not want to run. */
const STORAGE_KEY = 'cdapi-declined-samples';

const readDeclined = (): string[] =>
  (withStorage((storage) => storage.getItem(STORAGE_KEY)) ?? '').split(' ').filter(Boolean);

export const offerSamplesAgain = (): void => void withStorage((storage) => storage.removeItem(STORAGE_KEY));

/**
 * `This sheet has 13 formulas. Running them costs up to 26 of your 974 fictional credits. …`
 * @param now - what it costs now; undefined: only the most is known
 */
function describe({ sentence, subject, credits }: Sample, left: number | null, now?: number): string {
  const atMost = now === undefined ? 'up to ' : '';
  const price = now ?? credits;
  const cost =
    left === null
      ? `${formatCount(price, 'credit')}, which are fictional`
      : `${formatNumber(price)} of your ${formatNumber(left)} fictional credits`;
  return `${sentence} ${subject} costs ${atMost}${cost}. Records that your team already bought are free.`;
}

/** Shows the sample of the open sheet until it has run. Nothing runs before a click. */
export class SampleBar {
  readonly #grid: Grid;
  readonly #bar: HTMLElement;
  readonly #samples: readonly Sample[];
  readonly #readCredits: () => Promise<TeamCredits | undefined>;
  readonly #text: HTMLParagraphElement;
  readonly #run: HTMLButtonElement;
  readonly #later: HTMLButtonElement;
  readonly #declined = new Set(readDeclined());
  readonly #started = new Set<string>();
  #shown: Sample | undefined;

  /**
   * @param bar - with a text and two buttons
   * @param readCredits - reads what the team has left
   */
  constructor(
    grid: Grid,
    bar: HTMLElement,
    samples: readonly Sample[],
    readCredits: () => Promise<TeamCredits | undefined>,
  ) {
    const text = bar.querySelector('p');
    const [run, later] = bar.querySelectorAll('button');
    if (text === null || run === undefined || later === undefined) throw new Error('The bar has no buttons.');
    this.#grid = grid;
    this.#bar = bar;
    this.#samples = samples;
    this.#readCredits = readCredits;
    this.#text = text;
    this.#run = run;
    this.#later = later;
    run.addEventListener('click', () => this.#start());
    later.addEventListener('click', () => this.#decline());
    onCommands(grid, [SetWorksheetActiveOperation, SetRangeValuesMutation], () => this.#refresh());
    this.#refresh();
  }

  #refresh(): void {
    const sheet = this.#grid.workbook.getActiveSheet();
    const sample = this.#samples.find(({ sheetId }) => sheetId === sheet.getSheetId());
    const isOpen = sample !== undefined && !this.#started.has(sample.sheetId) && !sample.isDone();
    this.#bar.dataset.sheet = sheet.getName();
    this.#bar.hidden = !isOpen;
    const shown = isOpen ? sample : undefined;
    if (shown === this.#shown) return;
    this.#shown = shown;
    if (shown !== undefined) this.#show(shown);
  }

  #show(sample: Sample): void {
    const text = this.#text;
    const isDeclined = this.#declined.has(sample.sheetId);
    this.#run.textContent = sample.action;
    this.#later.hidden = isDeclined;
    if (isDeclined) {
      text.textContent = `Not run yet: up to ${formatCount(sample.credits, 'credit')}.`;
      return;
    }
    text.textContent = describe(sample, null);
    void Promise.all([this.#readCredits(), sample.readPrice?.()]).then(([credits, price]) => {
      const isCurrent = sample === this.#shown && !this.#declined.has(sample.sheetId);
      if (credits !== undefined && isCurrent) text.textContent = describe(sample, credits.remaining, price);
    });
  }

  #start(): void {
    const sample = this.#shown;
    if (sample === undefined) return;
    this.#started.add(sample.sheetId);
    this.#refresh();
    void sample.run().then(() => {
      this.#started.delete(sample.sheetId);
      this.#refresh();
    });
  }

  #decline(): void {
    const sample = this.#shown;
    if (sample === undefined) return;
    this.#declined.add(sample.sheetId);
    withStorage((storage) => storage.setItem(STORAGE_KEY, [...this.#declined].join(' ')));
    this.#show(sample);
    this.#run.focus();
  }
}
