// What the pages and actions of the console work with, and how they are defined.
import type { Child } from 'hono/jsx';
import type { Env } from '../../env.ts';
import type { RequestVariables } from '../../http/request-log.ts';
import type { AdminClient } from './admin-client.ts';
import type { NoticeCode } from './components/texts.ts';

/** Hono environment of the console. */
export interface ConsoleEnv<E extends Env = Env> {
  Bindings: E;
  Variables: RequestVariables;
}

/** A signed-in admin. */
export interface SignedInAdmin {
  sessionId: string;
  /** E-mail address from Cloudflare Access; null for the admin token. */
  email: string | null;
  /** Every form sends it back, so that pages of other sites can't send forms. */
  csrf: string;
}

/** Context of a request for a page or an action. */
export interface ConsoleContext {
  env: Env;
  now: number;
  admin: SignedInAdmin;
  /** Calls the admin API as this admin. */
  api: AdminClient;
  /** Parameters of the path. */
  params: Readonly<Record<string, string>>;
  /** Parameters of the address. */
  query: Readonly<Record<string, string>>;
}

/** A form that failed: the page shows it again, below the problem. */
export interface FailedForm {
  /** Path of the action. */
  action: string;
  /** What was sent. */
  values: FormValues;
}

/** Values of a form by field name. */
export type FormValues = URLSearchParams;

/** The content of a page. */
export interface PageContent {
  title: string;
  body: Child;
}

/** A page below `/console`. */
export interface Page {
  /** Hono path below `/console`. */
  path: string;
  /**
   * Loads and renders the content.
   * @param failed - the form that was sent from this page and failed
   * @throws ProblemError
   */
  render: (context: ConsoleContext, failed?: FailedForm) => Promise<PageContent>;
}

/** How an action ended: on another page with a notice, or with a content that is shown only now. */
export type ActionResult = { redirect: string; notice: NoticeCode } | PageContent;

/** A change that a form requests by POST. */
export interface Action {
  /** Hono path below `/console`. */
  path: string;
  /** The page with the form. It shows problems. Its path has no parameters that the action's path lacks. */
  page: Page;
  /** @throws ProblemError */
  run: (context: ConsoleContext, form: FormValues) => Promise<ActionResult>;
}

/** A file of the console, such as a CSV export, that a GET answers. */
export interface Download {
  /** Hono path below `/console`. */
  path: string;
  /** @throws ProblemError */
  respond: (context: ConsoleContext) => Promise<Response>;
}
