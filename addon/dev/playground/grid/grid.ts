// The spreadsheet: Univer with a reduced toolbar.
import {
  type Injector,
  InterceptorEffectEnum,
  type IWorkbookData,
  LocaleType,
  LogLevel,
  Univer,
  UniverInstanceType,
  type Workbook,
} from '@univerjs/core';
import { FUniver } from '@univerjs/core/facade';
import {
  ErrorType,
  FormulaDataModel,
  INTERCEPTOR_POINT,
  Lexer,
  LexerTreeBuilder,
  SheetInterceptorService,
  UniverSheetsCorePreset,
} from '@univerjs/preset-sheets-core';
import enUS from '@univerjs/preset-sheets-core/locales/en-US';
import { hasWrongSeparator, toDecimalPoints, toSheetFormula } from '../../host/sheets/locales.ts';
import { locale } from '../locale.ts';
import { getNumberFormat } from './engine-values.ts';

/** A quoted text, or an open range such as `A2:A`. */
const QUOTED_OR_OPEN_RANGE = /"[^"]*"|'[^']*'|(?<![\w.$])(\$?[A-Z]{1,3}\$?\d+:\$?[A-Z]{1,3})(?![\w.$(])/gi;

/**
 * Adds the last row to every open range of a formula.
 * @param lastRow - 1-based
 */
function closeRanges(formula: string, lastRow: number): string {
  return formula.replace(QUOTED_OR_OPEN_RANGE, (whole, open?: string) =>
    open ? `${open}${lastRow}` : whole,
  );
}

export interface Grid {
  api: FUniver;
  injector: Injector;
  workbook: Workbook;
}

/** A workbook with its commands, without the screen. */
export type GridCore = Pick<Grid, 'injector' | 'workbook'>;

/** Toolbar buttons that distract from formulas. */
const HIDDEN_BUTTONS = [
  'sheet.command.set-once-format-painter',
  'sheet.command.clear-selection-all',
  'sheet.command.set-range-font-family',
  'sheet.command.set-range-fontsize',
  'sheet.command.set-range-font-increase',
  'sheet.command.set-range-font-decrease',
  'sheet.command.set-range-underline',
  'sheet.command.set-range-stroke',
  'sheet.command.set-border-basic',
  'sheet.command.set-vertical-text-align',
  'sheet.command.set-text-rotation',
  'sheet.command.add-worksheet-merge',
  'sheet.command.numfmt.set.percent',
  'sheet.command.numfmt.set.currency',
  'sheet.command.numfmt.add.decimal.command',
  'sheet.command.numfmt.subtract.decimal.command',
  'sheet.command.add-range-protection-from-toolbar',
  'base-ui.operation.toggle-shortcut-panel',
  'sheet.toolbar.text-to-number',
  ...['common', 'financial', 'logical', 'text', 'date', 'lookup', 'math', 'statistical', 'engineering'].map(
    (kind) => `formula-ui.operation.insert-function.${kind}`,
  ),
  'formula-ui.operation.insert-function.information',
  'formula-ui.operation.insert-function.database',
];

/**
 * Creates the spreadsheet.
 * @param container - the element to fill
 * @param content - the initial workbook
 */
export function openGrid(container: HTMLElement, content: Partial<IWorkbookData>): Grid {
  const univer = new Univer({
    logLevel: LogLevel.WARN,
    locale: LocaleType.EN_US,
    locales: { [LocaleType.EN_US]: enUS },
  });
  const { plugins } = UniverSheetsCorePreset({
    container,
    ribbonType: 'simple',
    menu: Object.fromEntries(HIDDEN_BUTTONS.map((id) => [id, { hidden: true }])),
    footer: { sheetBar: true, statisticBar: true, menus: false, zoomSlider: false },
    // Ids are stored as text on purpose: no warnings about them.
    disableTextFormatAlert: true,
    disableTextFormatMark: true,
    sheets: { disableForceStringAlert: true, disableForceStringMark: true },
  });
  for (const plugin of plugins) {
    if (Array.isArray(plugin)) univer.registerPlugin(plugin[0], plugin[1]);
    else univer.registerPlugin(plugin);
  }
  const workbook = univer.createUnit<IWorkbookData, Workbook>(UniverInstanceType.UNIVER_SHEET, content);
  const injector = univer.__getInjector();
  formatResults(injector);
  acceptSheetsSyntax(injector, workbook);
  return { api: FUniver.newAPI(univer), injector, workbook };
}

/** Shows formulas' dates as dates, also in spilled cells. */
function formatResults(injector: Injector): void {
  const model = injector.get(FormulaDataModel);
  injector.get(SheetInterceptorService).intercept(INTERCEPTOR_POINT.CELL_CONTENT, {
    // Between spilled values (100) and number formats (10).
    priority: 50,
    effect: InterceptorEffectEnum.Value | InterceptorEffectEnum.Style,
    handler: (cell, { unitId, subUnitId, row, col, workbook }, next) => {
      if (!cell) return next(cell);
      const spilled = model.getArrayFormulaCellData()[unitId]?.[subUnitId]?.[row]?.[col];
      const pattern = getNumberFormat(spilled?.custom ?? cell.custom, cell.v);
      const cellStyle = workbook.getStyles().get(cell.s);
      return next(
        pattern === undefined || cellStyle?.n ? cell : { ...cell, s: { ...cellStyle, n: { pattern } } },
      );
    },
  });
}

/** Supports open ranges such as `A2:A`, and the separators of the locale, which Univer's parsers reject. */
function acceptSheetsSyntax(injector: Injector, workbook: Workbook): void {
  acceptSeparators(injector.get(LexerTreeBuilder));
  const lexer = injector.get(Lexer);
  const parse = lexer.treeBuilder.bind(lexer);
  lexer.treeBuilder = (formula, ...otherArgs) => {
    const lastRow = Math.max(...workbook.getSheets().map((sheet) => sheet.getRowCount()));
    // Univer reads formulas as typed with a decimal point.
    if (hasWrongSeparator(formula, locale)) return ErrorType.VALUE;
    return parse(closeRanges(toGridFormula(formula), lastRow), ...otherArgs);
  };
}

/** Returns a formula with the separators that Univer knows: commas, and decimal points. The length stays. */
const toGridFormula = (formula: string): string => toSheetFormula(toDecimalPoints(formula, locale), 'en_US');

/** Lets references follow insertions and copies also beside semicolons; the formula keeps its separators. */
function acceptSeparators(lexer: LexerTreeBuilder): void {
  const build = lexer.sequenceNodesBuilder.bind(lexer);
  lexer.sequenceNodesBuilder = (formula) => {
    const nodes = build(toGridFormula(formula));
    const parsed = nodes?.map((node) => (typeof node === 'string' ? node : node.token)).join('') ?? '';
    let at = formula.length - parsed.length;
    return nodes?.map((node) => {
      const { length } = typeof node === 'string' ? node : node.token;
      const written = formula.slice(at, at + length);
      at += length;
      return typeof node === 'string' ? written : { ...node, token: written };
    });
  };
}
