import * as arrow from 'apache-arrow';

/** An Arrow table of one record batch. */
export function tableFromData(fields: arrow.Field[], children: arrow.Data[], length: number): arrow.Table {
  const schema = new arrow.Schema(fields);
  const data = new arrow.Data(new arrow.Struct(fields), 0, length, 0, [] as never, children);
  return new arrow.Table(schema, [new arrow.RecordBatch(schema, data)]);
}
