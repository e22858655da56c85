/**
 * Which Arrow type holds which DuckDB type, and back.
 *
 * Worth knowing, because the answer is a decision:
 *
 * - HUGEINT (what `sum` of integers gives) is `Decimal128(38,0)` with the same 128 bits, always, so that a column's
 *   type never depends on its values; bits beyond 38 digits survive. The field is marked with metadata, by which it
 *   becomes HUGEINT again, and a `bigint` cell.
 * - TIMESTAMP_S, _MS and _NS keep their unit. Without a zone every unit goes back unchanged; with one DuckDB has only
 *   microseconds, and nanoseconds beyond them are cut off.
 * - `infinity` in dates and timestamps is the extreme value that DuckDB stores, in Arrow too.
 * - Date64 is read as TIMESTAMP: it is milliseconds, and in JavaScript people put instants into it.
 * - Arrow's Null type is DuckDB's "NULL", which compares with any type (an end that is always NULL has often no other
 *   type); inside lists and structs it is INTEGER, as in DuckDB itself. Both are read back as INTEGER.
 * - ENUM, UUID, INTERVAL, BIT, UNION, VARIANT and what else has no natural Arrow type is read as text.
 */
import * as duckdb from '@duckdb/node-api';
import * as arrow from 'apache-arrow';
import { HUGEINT_MARK, isHugeint } from './hugeint.ts';

/** The Arrow field for a DuckDB column. */
export function arrowField(name: string, type: duckdb.DuckDBType, nullable = true): arrow.Field {
  const metadata = type.typeId === duckdb.DuckDBTypeId.HUGEINT ? new Map(HUGEINT_MARK) : null;
  return new arrow.Field(name, arrowType(type), nullable, metadata);
}

function arrowType(type: duckdb.DuckDBType): arrow.DataType {
  if (type instanceof duckdb.DuckDBDecimalType) return new arrow.Decimal(type.scale, type.width, 128);
  if (type instanceof duckdb.DuckDBListType) return new arrow.List(arrowField('item', type.valueType));
  if (type instanceof duckdb.DuckDBArrayType) {
    return new arrow.FixedSizeList(type.length, arrowField('item', type.valueType));
  }
  if (type instanceof duckdb.DuckDBStructType) {
    return new arrow.Struct(type.entryNames.map((name, i) => arrowField(name, type.entryTypes[i]!)));
  }
  if (type instanceof duckdb.DuckDBMapType) {
    const entries = [arrowField('key', type.keyType, false), arrowField('value', type.valueType)];
    return new arrow.Map_(new arrow.Field('entries', new arrow.Struct(entries), false) as arrow.Field<never>);
  }
  return FLAT_ARROW_TYPES[type.typeId]?.() ?? new arrow.Utf8();
}

const Id = duckdb.DuckDBTypeId;

const FLAT_ARROW_TYPES: { readonly [id: number]: () => arrow.DataType } = {
  [Id.BOOLEAN]: () => new arrow.Bool(),
  [Id.TINYINT]: () => new arrow.Int8(),
  [Id.SMALLINT]: () => new arrow.Int16(),
  [Id.INTEGER]: () => new arrow.Int32(),
  [Id.BIGINT]: () => new arrow.Int64(),
  [Id.UTINYINT]: () => new arrow.Uint8(),
  [Id.USMALLINT]: () => new arrow.Uint16(),
  [Id.UINTEGER]: () => new arrow.Uint32(),
  [Id.UBIGINT]: () => new arrow.Uint64(),
  [Id.HUGEINT]: () => new arrow.Decimal(0, 38, 128),
  [Id.FLOAT]: () => new arrow.Float32(),
  [Id.DOUBLE]: () => new arrow.Float64(),
  [Id.BLOB]: () => new arrow.Binary(),
  [Id.DATE]: () => new arrow.DateDay(),
  [Id.TIME]: () => new arrow.TimeMicrosecond(),
  [Id.TIME_NS]: () => new arrow.TimeNanosecond(),
  [Id.TIMESTAMP]: () => new arrow.TimestampMicrosecond(),
  [Id.TIMESTAMP_S]: () => new arrow.TimestampSecond(),
  [Id.TIMESTAMP_MS]: () => new arrow.TimestampMillisecond(),
  [Id.TIMESTAMP_NS]: () => new arrow.TimestampNanosecond(),
  [Id.TIMESTAMP_TZ]: () => new arrow.TimestampMicrosecond('UTC'),
  [Id.SQLNULL]: () => new arrow.Null(),
};

/** The DuckDB type for an Arrow field, whoever made it. */
export function duckdbType(field: arrow.Field): duckdb.DuckDBType {
  if (isHugeint(field)) return duckdb.HUGEINT;
  const type = field.type as arrow.DataType;
  const { DataType } = arrow;
  if (DataType.isDictionary(type)) return duckdbType(field.clone({ type: type.dictionary }));
  if (DataType.isNull(type)) return duckdb.SQLNULL;
  if (DataType.isBool(type)) return duckdb.BOOLEAN;
  if (DataType.isInt(type)) return integerType(type);
  if (DataType.isFloat(type)) return type.precision === arrow.Precision.DOUBLE ? duckdb.DOUBLE : duckdb.FLOAT;
  if (DataType.isDecimal(type)) return decimalType(type);
  if (isBinary(type)) return duckdb.BLOB;
  if (DataType.isDate(type)) return type.unit === arrow.DateUnit.DAY ? duckdb.DATE : duckdb.TIMESTAMP;
  if (DataType.isTime(type)) return type.unit === arrow.TimeUnit.NANOSECOND ? duckdb.TIME_NS : duckdb.TIME;
  if (DataType.isTimestamp(type)) return timestampType(type);
  return nestedType(type) ?? duckdb.VARCHAR;
}

/** A type as SQL declares it. */
export function sqlType(type: duckdb.DuckDBType): string {
  return type.typeId === duckdb.DuckDBTypeId.SQLNULL ? '"NULL"' : String(type);
}

function itemType(field: arrow.Field): duckdb.DuckDBType {
  return arrow.DataType.isNull(field.type) ? duckdb.INTEGER : duckdbType(field);
}

function nestedType(type: arrow.DataType): duckdb.DuckDBType | null {
  const { DataType } = arrow;
  if (DataType.isList(type) || DataType.isLargeList(type)) return duckdb.LIST(itemType(type.children[0]!));
  if (DataType.isFixedSizeList(type)) {
    // DuckDB has no arrays of length 0.
    return type.listSize > 0 ? duckdb.ARRAY(itemType(type.children[0]!), type.listSize) : null;
  }
  if (DataType.isStruct(type) && type.children.length > 0) {
    const names = type.children.map((child) => child.name);
    return new duckdb.DuckDBStructType(names, type.children.map(itemType));
  }
  if (DataType.isMap(type)) {
    const [key, value] = type.children[0]!.type.children as arrow.Field[];
    return duckdb.MAP(itemType(key!), itemType(value!));
  }
  return null;
}

function isBinary(type: arrow.DataType): boolean {
  const { DataType } = arrow;
  return (
    DataType.isBinary(type) ||
    DataType.isLargeBinary(type) ||
    DataType.isBinaryView(type) ||
    DataType.isFixedSizeBinary(type)
  );
}

function integerType(type: arrow.Int): duckdb.DuckDBType {
  const signed = { 8: duckdb.TINYINT, 16: duckdb.SMALLINT, 32: duckdb.INTEGER, 64: duckdb.BIGINT };
  const unsigned = { 8: duckdb.UTINYINT, 16: duckdb.USMALLINT, 32: duckdb.UINTEGER, 64: duckdb.UBIGINT };
  return (type.isSigned ? signed : unsigned)[type.bitWidth];
}

/** Decimals that DuckDB cannot declare (over 38 digits, negative scales) are text. */
function decimalType(type: arrow.Decimal): duckdb.DuckDBType {
  const { precision, scale } = type;
  const fits = precision >= 1 && precision <= 38 && scale >= 0 && scale <= precision;
  return fits ? duckdb.DECIMAL(precision, scale) : duckdb.VARCHAR;
}

function timestampType(type: arrow.Timestamp): duckdb.DuckDBType {
  if (type.timezone) return duckdb.TIMESTAMPTZ;
  switch (type.unit) {
    case arrow.TimeUnit.SECOND:
      return duckdb.TIMESTAMP_S;
    case arrow.TimeUnit.MILLISECOND:
      return duckdb.TIMESTAMP_MS;
    case arrow.TimeUnit.NANOSECOND:
      return duckdb.TIMESTAMP_NS;
    default:
      return duckdb.TIMESTAMP;
  }
}
