// What the pages and actions of the console work with, and how they are defined.
import type { Child } from 'hono/jsx';
import type { AdminName } from '../../../shared/api/admin-endpoints.ts';
import type { Problem } from '../../../shared/problems.ts';
import type { Env } from '../../env.ts';
import type { RequestVariables } from '../../http/request-log.ts';
import type { AdminClient } from './admin-client.ts';

export interface ConsoleEnv<E extends Env = Env> {
  Bindings: E;
  Variables: RequestVariables;
}

export interface ConsoleContext {
  now: number;
  api: AdminClient;
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
}

/** A form that failed: the page shows it again, below the problem. */
export interface FailedForm {
  action: string;
  values: FormValues;
}

export type FormValues = URLSearchParams;

/** The wrong value of a filter form. */
export interface WrongValue {
  name: string;
  text: string;
  problem: Problem;
}

export interface PageContent {
  title: string;
  body: Child;
  /** The page shows its filter form with this problem in place of an answer. */
  wrong?: WrongValue | undefined;
}

/** A page below `/console`, with the changes and files that belong to it. */
export interface Page {
  /** Hono path below `/console`. */
  path: string;
  /** The endpoint that it shows. The page and links to it are for roles that may use it. */
  needs: AdminName;
  /** Its name among the tabs of its section, of which the first page is always one. Absent: other pages link to it. */
  tab?: string | undefined;
  /**
   * Loads and renders the content.
   * @param failed - the form that was sent from this page and failed
   * @throws ProblemError
   */
  render: (context: ConsoleContext, failed?: FailedForm) => Promise<PageContent>;
  /**
   * Changes that its forms request by POST, by Hono path below `/console`. The page shows their problems, so its path has
   * no parameters that theirs lack.
   */
  actions?: Readonly<Record<string, Action>>;
  /** Files that a GET answers, such as CSV exports, by Hono path below `/console`. @throws ProblemError */
  downloads?: Readonly<Record<string, (context: ConsoleContext) => Promise<Response>>>;
}

/** An entry of the menu with its pages. It opens the first one. */
export interface Section {
  label: string;
  pages: readonly [Page, ...Page[]];
}

/** A change that a form requests. */
export interface Action {
  /** The endpoint that it calls. Its forms are shown to roles that may use it. */
  needs: AdminName;
  /** What the page of the returned address says first. */
  done?: string;
  /**
   * @returns the address of the page that follows, a content that is shown only now, or a download
   * @throws ProblemError
   */
  run: (context: ConsoleContext, form: FormValues) => Promise<string | PageContent | Response>;
}
