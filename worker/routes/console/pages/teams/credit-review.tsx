// Unclear calls and disputed charges of a team, which an admin decides about.
import type { Child } from 'hono/jsx';
import type * as z from 'zod';
import type { BudgetView } from '../../../../../shared/api/admin.ts';
import type { disputedCharges, unclearCalls } from '../../../../../shared/api/admin-records.ts';
import { familyLabels } from '../../../../../shared/families/registry.ts';
import { formatCount, formatNumber } from '../../../../../shared/lib/format-count.ts';
import { ProblemError } from '../../../../http/problem-error.ts';
import { requireFound } from '../../../admin/route.ts';
import type { AdminClient } from '../../admin-client.ts';
import { type Column, Empty, formatCredits, ShortId } from '../../components/data.tsx';
import { Confirm, Form, Hidden, PageLink, readText, Select } from '../../components/form.tsx';
import { AgeFilter, buildList, numbers, Payer, pick, readAge, times } from '../../components/list.tsx';
import { familyFilterOptions, operationLabels, operationOptions } from '../../components/texts.ts';
import type { Action, ConsoleContext, Page } from '../../context.ts';
import { getTeamPage } from '../paths.ts';

type UnclearCall = z.output<typeof unclearCalls>['calls'][number];
type Item = Pick<UnclearCall, 'reference' | 'at' | 'family' | 'token' | 'token_name'>;

/** One of the two answers to an item. */
interface Choice {
  /** End of the action's path. */
  name: string;
  label: string;
  /** Whether the provider's charge counts. */
  isCharge: boolean;
}

interface Review<T extends Item> {
  /** End of the page's path. */
  name: string;
  title: string;
  describe: (budget: BudgetView, count: number) => Child;
  list: (context: ConsoleContext, team: string) => Promise<{ items: readonly T[]; more: boolean }>;
  /** Parameters of the address that choose items, and their fields. */
  filters?: readonly string[];
  form?: (context: ConsoleContext) => Child;
  /** Content between the introduction and the items. */
  before?: (context: ConsoleContext, items: readonly T[]) => Child;
  columns: readonly Column<T>[];
  empty: string;
  choices: readonly Choice[];
  /** The endpoint of the list, and that of a decision. */
  lists: Page['needs'];
  decides: Action['needs'];
  /** @returns 0 if it was decided before */
  decide: (api: AdminClient, team: string, reference: string, isCharge: boolean) => Promise<number>;
  gone: string;
  done: string;
}

const when: Column<Item> = times('When', ({ at }) => at);
const data: Column<Item> = { label: 'Data', render: ({ family }) => familyLabels[family].name };
const token: Column<Item> = {
  label: 'Who',
  render: (item) => <Payer token={item.token} name={item.token_name} />,
};

const createGone = (gone: string): ProblemError =>
  new ProblemError('invalid_request', `${gone}, so nothing was changed.`, 'Reload the page.');

function buildReview<T extends Item>(parts: Review<T>): Page {
  const path = `/teams/:id/${parts.name}`;
  const getPage = (team = ''): string => `${getTeamPage(team)}/${parts.name}`;
  const buildColumn = (team = ''): Column<T> => ({
    label: 'Decision',
    render: ({ reference }) =>
      parts.choices.map(({ name, label }) => (
        <Form action={`${getPage(team)}/${name}`} submit={label} inline>
          <Hidden name="reference" value={reference} />
        </Form>
      )),
  });
  const list = buildList<T>({
    path,
    needs: parts.lists,
    title: parts.title,
    caption: `${parts.title}, the oldest first`,
    ...(parts.filters !== undefined && { filters: parts.filters }),
    ...(parts.form !== undefined && { form: parts.form }),
    load: async (context) => {
      const { id = '' } = context.params;
      const [team, { items, more }] = await Promise.all([
        context.api.call('getTeam', { params: { id } }),
        parts.list(context, id),
      ]);
      const lead = (
        <>
          {parts.describe(team.budget, items.length)}
          {more ? ' There are more. They are listed after these.' : null}
        </>
      );
      const before = parts.before?.(context, items);
      return { rows: items, next: null, title: `${parts.title} of ${team.name}`, lead, before };
    },
    columns: ({ params: { id } }) => [...parts.columns, buildColumn(id)],
    empty: parts.empty,
    below: ({ params: { id } }) => <a href={getTeamPage(id)}>Back to the team</a>,
  });
  const actions = parts.choices.map(({ name, isCharge }): [string, Action] => [
    `${path}/${name}`,
    {
      needs: parts.decides,
      done: parts.done,
      run: async ({ api, params: { id = '' } }, form) => {
        if ((await parts.decide(api, id, readText(form, 'reference'), isCharge)) > 0) return getPage(id);
        throw createGone(parts.gone);
      },
    },
  ]);
  return { ...list, actions: Object.fromEntries(actions) };
}

const unclearChoices: readonly Choice[] = [
  { name: 'charged', label: 'It was charged', isCharge: true },
  { name: 'free', label: 'It was not', isCharge: false },
];

const unclearFilters = ['family', 'operation', 'older'];

async function listUnclear(context: ConsoleContext, id: string) {
  const { older: _, ...filter } = pick(context.query, unclearFilters);
  const query = { ...filter, ...readAge(context) };
  const { calls, more } = await context.api.call('listUnclearCalls', { params: { id }, query });
  return { items: calls, more };
}

const unclear = buildReview<UnclearCall>({
  name: 'unclear',
  title: 'Unclear calls',
  describe: (budget) => (
    <>
      These calls were sent to the provider, and their answers were lost. They count as spent:{' '}
      {formatCredits(budget.unclear)}. Compare with the provider’s account. What was not charged returns to
      the team’s budget; what was charged stays spent. Neither can be undone.
    </>
  ),
  list: listUnclear,
  filters: unclearFilters,
  form: ({ query: { family, operation, older } }) => (
    <>
      <Select label="Data" name="family" options={familyFilterOptions} value={family} />
      <Select label="Operation" name="operation" options={operationOptions} value={operation} />
      <AgeFilter value={older} />
    </>
  ),
  before: ({ params: { id }, query }, calls) =>
    calls.length < 2 ? null : (
      <p class="actions">
        <PageLink href={`${getTeamPage(id)}/unclear/all?${new URLSearchParams(pick(query, unclearFilters))}`}>
          Reconcile all {formatNumber(calls.length)} of these
        </PageLink>
      </p>
    ),
  columns: [
    when,
    data,
    { label: 'Operation', render: ({ operation }) => operationLabels[operation] },
    token,
    numbers('Credits', ({ credits }) => credits),
  ],
  empty: 'The outcome of every call is known.',
  choices: unclearChoices,
  lists: 'listUnclearCalls',
  decides: 'reconcile',
  decide: async (api, team, reference, charged) => {
    const body = { team, references: [reference], charged };
    return (await api.call('reconcile', { body })).reconciled;
  },
  gone: 'This call is no longer unclear',
  done: 'The unclear calls were reconciled.',
});

const disputed = buildReview<z.output<typeof disputedCharges>['charges'][number]>({
  name: 'disputed',
  title: 'Disputed charges',
  describe: (budget, count) =>
    count === 0 ? null : (
      <>
        The provider delivered more than was ordered, or the same record twice, and may have charged it:{' '}
        {formatCredits(budget.disputed)}. Compare with the provider’s account. What you count as spent is
        booked to the day of the order, even above the team’s limits. Neither can be undone.
      </>
    ),
  list: async ({ api }, id) => {
    const { charges, more } = await api.call('listDisputedCharges', { params: { id } });
    return { items: charges, more };
  },
  columns: [
    when,
    { label: 'Order', render: ({ reference }) => <ShortId id={reference} /> },
    data,
    token,
    numbers('Charged', ({ charged }) => charged),
    numbers('Disputed', ({ credits }) => credits),
  ],
  empty: 'Nothing is disputed.',
  choices: [
    { name: 'accept', label: 'Count as spent', isCharge: true },
    { name: 'reject', label: 'Drop', isCharge: false },
  ],
  lists: 'listDisputedCharges',
  decides: 'resolveDispute',
  decide: async (api, team, reference, accepted) => {
    const body = { team, reference, accepted };
    return (await api.call('resolveDispute', { body })).credits;
  },
  gone: 'This charge is no longer disputed',
  done: 'The disputed charge was resolved.',
});

/** Returns the address of the list with the filters of a query. */
const getUnclearAddress = (team: string, query: ConsoleContext['query']): string =>
  `${getTeamPage(team)}/unclear?${new URLSearchParams(pick(query, unclearFilters))}`;

/** Reconciles all listed unclear calls alike, after their number and credits are stated. */
const reconcileAll: Page = {
  path: '/teams/:id/unclear/all',
  needs: 'reconcile',
  render: async (context) => {
    const { id = '' } = context.params;
    const [team, { items, more }] = await Promise.all([
      context.api.call('getTeam', { params: { id } }),
      listUnclear(context, id),
    ]);
    const calls = formatCount(items.length, 'call');
    const credits = formatCredits(items.reduce((sum, call) => sum + call.credits, 0));
    const back = getUnclearAddress(id, context.query);
    const references = items.map(({ reference }) => reference).join(' ');
    return {
      title: items.length === 0 ? `No unclear call of ${team.name}` : `Reconcile ${calls} of ${team.name}?`,
      body:
        items.length === 0 ? (
          <Empty>
            No unclear call matches. <a href={back}>Back to the list</a>
          </Empty>
        ) : (
          <Confirm back={back} keep="Change nothing">
            <p>
              Compare with the provider’s account first: this can’t be undone.
              {more ? ` These are the oldest ${items.length}; repeat it for the others.` : null}
            </p>
            {unclearChoices.map(({ name, isCharge }) => (
              <Form
                action={`${getTeamPage(id)}/unclear/all`}
                submit={isCharge ? `Keep ${credits} of ${calls} as spent` : `Return ${credits} of ${calls}`}
                second={!isCharge}
              >
                <Hidden name="references" value={references} />
                <Hidden name="choice" value={name} />
              </Form>
            ))}
          </Confirm>
        ),
    };
  },
  actions: {
    '/teams/:id/unclear/all': {
      needs: 'reconcile',
      done: 'The unclear calls were reconciled.',
      run: async ({ api, params: { id = '' }, query }, form) => {
        const references = readText(form, 'references').split(' ');
        const { isCharge } = requireFound(
          unclearChoices.find(({ name }) => name === readText(form, 'choice')),
        );
        const body = { team: id, references, charged: isCharge };
        const { reconciled } = await api.call('reconcile', { body });
        if (reconciled === 0) throw createGone('These calls are no longer unclear');
        return getUnclearAddress(id, query);
      },
    },
  },
};

export const creditReviewPages = [unclear, reconcileAll, disputed] as const;
