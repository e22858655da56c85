import type { Preset } from '../presets.ts';

export const tpcDi: Preset = {
  id: 'tpc-di',
  title: 'DimCustomer of TPC-DI: dates with exclusive ends, 9999-12-31 for the current row, no deletes.',
  source:
    'TPC Benchmark DI, standard specification 1.1.0, section 4.5 ("Transformation details for DW tables"), history-tracking dimensions',
  url: 'https://www.tpc.org/tpcdi/',
  decisions: {
    feed: 'delta',
    grain: 'day',
    end: 'exclusive',
    openMarker: '9999-12-31',
    deletes: 'never',
    late: 'never',
  },
  because: {
    feed: 'each batch brings the rows that changed',
    grain: 'EffectiveDate and EndDate are dates',
    end: 'EndDate of the row before is the EffectiveDate of its successor',
    openMarker: 'EndDate of the current row',
    deletes: 'a customer becomes inactive, which is an attribute',
    late: 'batches come in order',
  },
};
