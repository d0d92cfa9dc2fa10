import type { ReactNode } from 'react';

/** A column: its title, and the cell of a row. */
export interface Column<T> {
  readonly key: string;
  readonly title: string;
  readonly cell: (row: T) => ReactNode;
  readonly isNumeric?: boolean;
  /** Whether its title is only for screen readers. */
  readonly hideTitle?: boolean;
  /** Whether its cells are boxes that pick the row. */
  readonly isPick?: boolean;
}

export interface TableProps<T> {
  readonly label: string;
  readonly rows: readonly T[];
  readonly columns: readonly Column<T>[];
  readonly rowKey: (row: T) => string;
}

/** Whether a cell shows nothing, as React sees it. */
const isEmpty = (content: ReactNode): boolean =>
  content === null || content === undefined || content === false || content === '';

interface CellProps<T> {
  readonly row: T;
  readonly column: Column<T>;
  /** Whether it says what the row is: on a narrow screen it heads the others. */
  readonly isLead: boolean;
}

function Cell<T>({ row, column: { title, cell, isNumeric, hideTitle, isPick }, isLead }: CellProps<T>) {
  const content = cell(row);
  return (
    <td
      data-title={hideTitle ? undefined : title}
      data-empty={isEmpty(content) || undefined}
      data-lead={isLead || undefined}
      data-pick={isPick}
      className={isNumeric ? 'numeric' : undefined}
    >
      {content}
    </td>
  );
}

/**
 * A table without the columns that are empty in each row. Where it is wider than the screen, it scrolls by itself; the cells of narrow
 * screens say their title, but for the one that heads the others, and empty ones are left out.
 */
export function Table<T>({ label, rows, columns, rowKey }: TableProps<T>) {
  const shown = columns.filter(({ cell }) => rows.some((row) => !isEmpty(cell(row))));
  const lead = shown.find(({ isPick }) => !isPick);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className="table-box" aria-label={label} tabIndex={0}>
      <table className="table">
        <thead>
          <tr>
            {shown.map(({ key, title, isNumeric, hideTitle }) => (
              <th key={key} scope="col" className={isNumeric ? 'numeric' : undefined}>
                {hideTitle ? <span className="visually-hidden">{title}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {shown.map((column) => (
                <Cell key={column.key} row={row} column={column} isLead={column === lead} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
