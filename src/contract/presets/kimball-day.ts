import type { Preset } from '../presets.ts';

export const kimballDay: Preset = {
  id: 'kimball-day',
  title:
    'Dates with inclusive ends and 9999-12-31 for the current row; type 1 attributes overwritten in every row.',
  source: 'Kimball and Ross, "The Data Warehouse Toolkit", third edition (2013), chapter 5, types 1 and 2',
  url: null,
  decisions: {
    feed: 'delta',
    grain: 'day',
    end: 'inclusive',
    openMarker: '9999-12-31',
    deletes: 'never',
    late: 'never',
    untracked: 'all',
  },
  because: {
    feed: 'changed rows are brought to the dimension',
    grain: 'row effective date and row expiration date are dates',
    end: 'a row expires on the day before the next one becomes effective',
    openMarker: 'the expiration date of the current row is a day far ahead',
    deletes: 'nothing is said of deletes',
    late: 'late arriving rows are a technique of their own',
    untracked: 'type 1 attributes are overwritten in all rows of the key',
  },
};
