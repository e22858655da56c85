import type { Entry } from '../entry.ts';

const DOCS = 'https://django-simple-history.readthedocs.io/en/stable/';

export const djangoSimpleHistory: Entry = {
  id: 'django-simple-history',
  name: 'django-simple-history',
  home: DOCS,
  licence: 'BSD-3-Clause',
  engine: 'SQLite, by Django 5.2',
  ruledOut:
    'It keeps events and no intervals; the adapter makes these, from each record to the next, as `history.as_of` reads them. A first one kept both of two records of one date, and the report named the one without length: `as_of` never shows it, so the adapter does not either.',
  rows: [
    {
      id: 'django-simple-history',
      title: '',
      version: '3.13.0',
      setting: { kind: 'python', requirements: 'requirements.txt' },
      adapter: 'adapter.py',
      claims: [
        {
          field: 'feed',
          option: 'changes',
          says: 'A record is made "on every create/update/delete".',
          where: `${DOCS}, front page`,
        },
        {
          field: 'changeBy',
          option: 'row-time',
          says: 'Every save makes one, whether something differs or not.',
          where: `${DOCS}, front page`,
        },
        {
          field: 'deletes',
          option: 'close',
          says: 'A delete is a record of type `-`; an instance that was deleted is not in `as_of`.',
          where: `${DOCS}querying_history.html, "as_of"`,
        },
        {
          field: 'clock',
          option: 'injected',
          says: '`_history_date` on the instance sets the date of the record.',
          where: `${DOCS}historical_model.html, "Custom history_date"`,
        },
        { field: 'late', option: 'never', says: 'Nothing is said of dates that go back.', where: DOCS },
      ],
      limitations: ['History is a log of records with one date each, not of intervals.'],
      expected: { exitCode: 0, reds: [] },
      inTests: true,
    },
  ],
};
