import type { ReactNode } from 'react';
import type { Pages } from '../../api/pages.ts';
import { useLanguage } from '../../texts/language.tsx';
import { Button } from '../button.tsx';
import { Shown } from '../page.tsx';
import { Table, type TableProps } from './table.tsx';

interface PagedTableProps<T> extends Omit<TableProps<T>, 'rows'> {
  readonly pages: Pages<T>;
  /** The text in the place of an empty list. */
  readonly empty: ReactNode;
}

/** A list that is read page by page. */
export function PagedTable<T>({ pages, empty, ...table }: PagedTableProps<T>) {
  const { t } = useLanguage();
  return (
    <Shown query={{ data: pages.rows, error: pages.error, isPending: pages.isPending }}>
      {(rows) =>
        rows.length === 0 ? (
          empty
        ) : (
          <div aria-busy={pages.isPlaceholderData} className="paged">
            <Table {...table} rows={rows} />
            {pages.hasNextPage && (
              <div className="table-more">
                <Button isPending={pages.isFetchingNextPage} onPress={() => void pages.fetchNextPage()}>
                  {t('action.more')}
                </Button>
              </div>
            )}
          </div>
        )
      }
    </Shown>
  );
}
