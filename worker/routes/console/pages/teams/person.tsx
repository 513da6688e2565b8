// The page of a person who signs in: state, revocation, and deletion of the person's data.
import { personView } from '../../../../../shared/api/admin-people.ts';
import { Facts, Time } from '../../components/data.tsx';
import { Form } from '../../components/form.tsx';
import type { Action, Page } from '../../context.ts';
import { getPersonPage, PEOPLE } from '../paths.tsx';

const page: Page = {
  path: '/people/:id',
  render: async ({ api, params: { id = '' } }) => {
    const person = await api.get(`/people/${encodeURIComponent(id)}`, personView);
    const address = getPersonPage(id);
    return {
      title: person.email ?? 'Person without an address',
      body: (
        <div class="columns">
          <section class="card">
            <h2>Person</h2>
            <Facts
              facts={[
                ['Domain', person.domain],
                ['First sign-in', <Time at={person.created_at} />],
                ['Last sign-in', <Time at={person.last_seen_at} />],
                ['Revoked', person.revoked_at === null ? 'no' : <Time at={person.revoked_at} />],
                ['Token id', <code>{person.token_id}</code>],
              ]}
            />
            <p>
              <a href={PEOPLE}>All people</a>
            </p>
          </section>
          {person.revoked_at === null ? (
            <section class="card">
              <h2>Revoke</h2>
              <p>
                The person’s one token stops at once: no spending and no changes from now on, no reading after
                30 seconds. Schedules of this person stop. The person gets no other token until you allow it.
              </p>
              <Form action={`${address}/revoke`} submit="Revoke the person" danger />
            </section>
          ) : (
            <section class="card">
              <h2>Allow</h2>
              <p>The person may sign in again, with the budget of the domain.</p>
              <Form action={`${address}/allow`} submit="Allow the person" />
            </section>
          )}
          <section class="card">
            <h2>Delete the data</h2>
            <p>
              Deletes the e-mail address, the token and one’s own saved searches. Who is not revoked may sign
              in again; who is revoked stays revoked, by a pseudonym. This can’t be undone.
            </p>
            <Form action={`${address}/delete`} submit="Delete the person’s data" danger />
          </section>
        </div>
      ),
    };
  },
};

const setRevoked = (path: string, revoked: boolean): Action => ({
  path,
  page,
  run: async ({ api, params: { id = '' } }) => {
    await api.send('PATCH', `/people/${encodeURIComponent(id)}`, personView, { revoked });
    return { redirect: getPersonPage(id), notice: revoked ? 'person_revoked' : 'person_allowed' };
  },
});

const remove: Action = {
  path: '/people/:id/delete',
  page,
  run: async ({ api, params: { id = '' } }) => {
    await api.delete(`/people/${encodeURIComponent(id)}`);
    return { redirect: PEOPLE, notice: 'person_deleted' };
  },
};

export const personPages: readonly Page[] = [page];
export const personActions: readonly Action[] = [
  setRevoked('/people/:id/revoke', true),
  setRevoked('/people/:id/allow', false),
  remove,
];
