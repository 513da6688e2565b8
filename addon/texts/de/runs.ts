// German: what the script says about tables, runs and orders.
export const runs = {
  'These rows are already in “{title}”.': 'Diese Zeilen sind schon in „{title}“.',
  '“{title}” is frozen, so nothing can be written to it.':
    '„{title}“ ist eingefroren, deshalb kann nichts hineingeschrieben werden.',
  'Rows of “{title}” were changed by hand after you ordered new rows. To replace the changes, write the rows from the list under Bulk into this table. It is free.':
    'Zeilen von „{title}“ wurden von Hand geändert, nachdem Sie neue Zeilen bestellt hatten. Um die Änderungen zu ersetzen, schreiben Sie die Zeilen aus der Liste unter „Aufträge“ in diese Tabelle. Das ist kostenlos.',
  'The sheet or headings made for its rows were removed.':
    'Das Blatt oder die Überschriften für die Zeilen wurden entfernt.',
  'Spending is off for this spreadsheet. Switch it on under Activity to order records.':
    'Ausgaben sind für diese Datei ausgeschaltet. Schalten Sie sie unter „Aktivität“ ein, um Datensätze zu bestellen.',
  'Nothing matches, and nothing was changed.': 'Nichts passt, und nichts wurde geändert.',
  'Widen the search.': 'Erweitern Sie die Suche.',
  'Or order without it: the rows then come while the spreadsheet is open.':
    'Oder bestellen Sie ohne das: Die Zeilen kommen dann, während die Datei offen ist.',
  'These are too many columns at once. Choose fewer, or only those of the order.':
    'Das sind zu viele Spalten auf einmal. Wählen Sie weniger oder nur die des Auftrags.',
  'This order isn’t finished. Write its rows when it is ready.':
    'Dieser Auftrag ist noch nicht fertig. Schreiben Sie die Zeilen, wenn er fertig ist.',
  'This order has no rows, so there is nothing to write.':
    'Dieser Auftrag hat keine Zeilen, es gibt also nichts zu schreiben.',
  'These formulas have changed. Check the list again.':
    'Diese Formeln haben sich geändert. Prüfen Sie die Liste noch einmal.',
  'This search is too long for a formula.': 'Diese Suche ist zu lang für eine Formel.',
  'Click the cell for the formula and try again.':
    'Klicken Sie auf die Zelle für die Formel und versuchen Sie es noch einmal.',
  'This sidebar is outdated. Close it and open it again.':
    'Diese Seitenleiste ist veraltet. Schließen Sie sie und öffnen Sie sie wieder.',
  'This sidebar is outdated: {fault} is not as expected. Close it and open it again.':
    'Diese Seitenleiste ist veraltet: {fault} ist anders als erwartet. Schließen Sie sie und öffnen Sie sie wieder.',
  'These formulas are too long to be kept for Undo. Merge them in parts by hand, one column at a time.':
    'Diese Formeln sind zu lang, um sie für „Rückgängig“ aufzuheben. Fassen Sie sie von Hand in Teilen zusammen, eine Spalte nach der anderen.',
  'These formulas have changed. There is nothing to merge any more.':
    'Diese Formeln haben sich geändert. Es gibt nichts mehr zusammenzufassen.',
  'This name was decided already. Open the tab again.':
    'Dieser Name ist schon entschieden. Öffnen Sie den Tab noch einmal.',
  'Choose one of the candidates.': 'Wählen Sie einen der Kandidaten.',
  'The column of this name was deleted.': 'Die Spalte dieses Namens wurde gelöscht.',
  'The data provider is too slow at the moment. Resume in a few minutes: nothing is paid twice.':
    'Der Datenanbieter ist gerade zu langsam. Setzen Sie in ein paar Minuten fort: Nichts wird doppelt bezahlt.',
  'This table is frozen, so it can’t be refreshed. Write its search to a new sheet.':
    'Diese Tabelle ist eingefroren und kann deshalb nicht aktualisiert werden. Schreiben Sie ihre Suche in ein neues Blatt.',
  'Looked-up columns can’t refresh automatically. Refresh them here, or write a search to a new sheet.':
    'Angereicherte Spalten können sich nicht automatisch aktualisieren. Aktualisieren Sie sie hier, oder schreiben Sie eine Suche in ein neues Blatt.',
  'This table’s records were ordered one by one, so there is no search to refresh. Order them again under Bulk.':
    'Die Datensätze dieser Tabelle wurden einzeln bestellt, es gibt also keine Suche zum Aktualisieren. Bestellen Sie sie unter „Aufträge“ noch einmal.',
  'The search of this table is missing. Write it to a new sheet.':
    'Die Suche dieser Tabelle fehlt. Schreiben Sie sie in ein neues Blatt.',
  'People and jobs at companies of a column can’t refresh automatically. Refresh them here.':
    'Personen und Stellen bei Unternehmen aus einer Spalte können sich nicht automatisch aktualisieren. Aktualisieren Sie sie hier.',
  'Rows are matched by id. Write the search to a new sheet with the column id.':
    'Zeilen werden über die ID zugeordnet. Schreiben Sie die Suche mit der Spalte id in ein neues Blatt.',
  'The source of “{title}” is missing, so it can’t refresh automatically.':
    'Die Quelle von „{title}“ fehlt, deshalb ist keine automatische Aktualisierung möglich.',
  'It reads its companies from the sheet, so it has no schedule: refresh it here.':
    'Die Tabelle liest ihre Unternehmen aus dem Blatt und hat deshalb keinen Zeitplan: Aktualisieren Sie sie hier.',
  'Its schedule has stopped and buys nothing.': 'Ihr Zeitplan ist angehalten und kauft nichts.',
  'The search of this table is missing.': 'Die Suche dieser Tabelle fehlt.',
  'Rows are updated by ID, so that the columns beside them keep their rows. Rows that no longer match stay, too.':
    'Zeilen werden über die ID aktualisiert, damit die Spalten daneben bei ihren Zeilen bleiben. Auch Zeilen, die nicht mehr passen, bleiben.',
  'Pages that your team bought less than a day ago are free.':
    'Seiten, die Ihr Team vor weniger als einem Tag gekauft hat, sind kostenlos.',
  'This table is frozen, so it can’t be refreshed.':
    'Diese Tabelle ist eingefroren und kann deshalb nicht aktualisiert werden.',
  'To refresh a bulk order, order it again into this table under Bulk, or set up an automatic refresh.':
    'Um einen Sammelauftrag zu aktualisieren, bestellen Sie ihn unter „Aufträge“ noch einmal in diese Tabelle, oder richten Sie eine automatische Aktualisierung ein.',
  'not every company could be counted': 'nicht alle Unternehmen konnten gezählt werden',
  'full records that your team has are free': 'vollständige Datensätze, die Ihr Team hat, sind kostenlos',
  '“{title}” is still in the spreadsheet.': '„{title}“ ist noch in der Datei.',
  'The column that it looks up is gone. Enrich another column.':
    'Die Spalte, die nachgeschlagen wird, ist nicht mehr da. Reichern Sie eine andere Spalte an.',
  'The sheet of this copy was deleted.': 'Das Blatt dieser Kopie wurde gelöscht.',
  'This table has no column id. Write the search again with the column id.':
    'Diese Tabelle hat keine Spalte id. Schreiben Sie die Suche noch einmal mit der Spalte id.',
  'The column of numbers was deleted. Choose all companies, or count again.':
    'Die Spalte mit den Zahlen wurde gelöscht. Wählen Sie alle Unternehmen, oder zählen Sie noch einmal.',
  'The column of companies was deleted, or can’t be recognised any more. Start a new search.':
    'Die Spalte mit den Unternehmen wurde gelöscht oder ist nicht mehr erkennbar. Beginnen Sie eine neue Suche.',
  'A search takes at most {max} companies. Split the column.':
    'Eine Suche nimmt höchstens {max} Unternehmen. Teilen Sie die Spalte.',
  '{cells} skipped: {notKeys}.': '{cells} übersprungen: {notKeys}.',
  'Choose people or jobs to search at companies.':
    'Wählen Sie Personen oder Stellen, um bei Unternehmen zu suchen.',
  'The column has no companies: choose another one.':
    'Die Spalte enthält keine Unternehmen: Wählen Sie eine andere.',
  'The companies changed while this ran. Start again: nothing is paid twice.':
    'Die Unternehmen haben sich währenddessen geändert. Beginnen Sie noch einmal: Nichts wird doppelt bezahlt.',
  'Rows are matched by id, and this table has no id column. Write to a new sheet.':
    'Zeilen werden über die ID zugeordnet, und diese Tabelle hat keine Spalte id. Schreiben Sie in ein neues Blatt.',
  'a query as text or DSL': 'eine Abfrage als Text oder DSL',
  'a search by the fields of the form': 'eine Suche mit den Feldern des Formulars',
  'a column of ids': 'eine Spalte mit IDs',
  'a column of profile URLs': 'eine Spalte mit Profil-URLs',
  ', or ': ' oder ',
  'Records of this kind can’t be ordered in bulk by a query as text or DSL. Use {list}.':
    'Diese Datensätze können nicht über eine Abfrage als Text oder DSL bestellt werden. Nutzen Sie {list}.',
  'Records of this kind can’t be ordered in bulk by the fields of the form. Use {list}.':
    'Diese Datensätze können nicht über die Felder des Formulars bestellt werden. Nutzen Sie {list}.',
  'Records of this kind can’t be ordered in bulk by ids. Use {list}.':
    'Diese Datensätze können nicht über IDs bestellt werden. Nutzen Sie {list}.',
  'Records of this kind can’t be ordered in bulk by profile URLs or shorthand names. Use {list}.':
    'Diese Datensätze können nicht über Profil-URLs oder Kurznamen bestellt werden. Nutzen Sie {list}.',
  'Records of this kind can’t be ordered in bulk. Look them up by their ids under Enrich.':
    'Diese Datensätze können nicht gesammelt bestellt werden. Schlagen Sie sie unter „Anreichern“ über ihre IDs nach.',
  'Nothing matches. Widen the search.': 'Kein Treffer. Erweitern Sie die Suche.',
  '{total} match; you’ll get {records}.': '{total} Treffer; Sie bekommen {records}.',
  'Websites can’t be ordered in bulk. Look them up under Enrich, or choose a column of ids, profile URLs or shorthand names.':
    'Websites können nicht gesammelt bestellt werden. Schlagen Sie sie unter „Anreichern“ nach, oder wählen Sie eine Spalte mit IDs, Profil-URLs oder Kurznamen.',
  'These are {count} different records, and a bulk order has at most {max}. Select fewer rows, and order the others separately. Nothing was spent.':
    'Das sind {count} verschiedene Datensätze, und ein Sammelauftrag hat höchstens {max}. Wählen Sie weniger Zeilen und bestellen Sie die anderen getrennt. Nichts wurde ausgegeben.',
  'There is nothing to order in these rows. Choose other rows or another column.':
    'In diesen Zeilen gibt es nichts zu bestellen. Wählen Sie andere Zeilen oder eine andere Spalte.',
  '1 cell repeats a record: each record is ordered once.':
    '1 Zelle wiederholt einen Datensatz: Jeder wird einmal bestellt.',
  '{twice} cells repeat a record: each record is ordered once.':
    '{twice} Zellen wiederholen einen Datensatz: Jeder wird einmal bestellt.',
  '“{wrong}” is not a field. Write it as name or location.city.':
    '„{wrong}“ ist kein Feld. Schreiben Sie es wie name oder location.city.',
  'A table takes at most {max} columns. Choose fewer.':
    'Eine Tabelle nimmt höchstens {max} Spalten. Wählen Sie weniger.',
  'This table shows other records. Write to a new sheet.':
    'Diese Tabelle zeigt andere Datensätze. Schreiben Sie in ein neues Blatt.',
  'This table is frozen. Write to a new sheet.':
    'Diese Tabelle ist eingefroren. Schreiben Sie in ein neues Blatt.',
  '“{title}” still waits for rows of another order. Wait for them, or write to a new sheet.':
    '„{title}“ wartet noch auf Zeilen eines anderen Auftrags. Warten Sie darauf, oder schreiben Sie in ein neues Blatt.',
  'A table is replaced only while the spreadsheet is open.':
    'Eine Tabelle wird nur ersetzt, während die Datei offen ist.',
  'Spending is off for this spreadsheet: switch it on under Activity to order records.':
    'Ausgaben sind für diese Datei ausgeschaltet: Schalten Sie sie unter „Aktivität“ ein, um Datensätze zu bestellen.',
  '{label} records by {way}': '{label}: Datensätze über {way}',
  'This spreadsheet is a copy.': 'Diese Datei ist eine Kopie.',
  'Open the original, or track the table here as a new one.':
    'Öffnen Sie das Original, oder verwalten Sie die Tabelle hier als neue.',
  'Its sheet was deleted.': 'Das Blatt wurde gelöscht.',
  'This sheet has too many columns of tables. Write to a new sheet. Nothing was bought.':
    'Dieses Blatt hat zu viele Spalten von Tabellen. Schreiben Sie in ein neues Blatt. Nichts wurde gekauft.',
  'This table is no longer tracked here.': 'Diese Tabelle wird hier nicht mehr verwaltet.',
  '“{title}” can’t be used. {loss}': '„{title}“ ist nicht nutzbar. {loss}',
  'The column “{heading}” was deleted: its values are left out.':
    'Die Spalte „{heading}“ wurde gelöscht: Ihre Werte werden weggelassen.',
  'for up to {records}': 'für bis zu {records}',
  'to compare names': 'für den Namensvergleich',
  'The column has no heading: a heading row will be inserted above it.':
    'Die Spalte hat keine Überschrift: Darüber wird eine Überschriftenzeile eingefügt.',
  'Rows that the filter hides are included.': 'Auch Zeilen, die der Filter ausblendet, zählen mit.',
  'Spending is off for this spreadsheet: only records your team already bought are written.':
    'Ausgaben sind für diese Datei ausgeschaltet: Nur Datensätze, die Ihr Team schon gekauft hat, werden geschrieben.',
  'Spending is off for this spreadsheet: only records your team already bought are written, 1 is left out.':
    'Ausgaben sind für diese Datei ausgeschaltet: Nur Datensätze, die Ihr Team schon gekauft hat, werden geschrieben, 1 wird weggelassen.',
  'Spending is off for this spreadsheet: only records your team already bought are written, {missing} are left out.':
    'Ausgaben sind für diese Datei ausgeschaltet: Nur Datensätze, die Ihr Team schon gekauft hat, werden geschrieben, {missing} werden weggelassen.',
  'There are no rows to look up here. Choose other rows.':
    'Hier gibt es keine Zeilen zum Nachschlagen. Wählen Sie andere Zeilen.',
  'All of these rows were changed by hand and are kept.':
    'Alle diese Zeilen wurden von Hand geändert und bleiben.',
  '{label} data for “{heading}”': '{label}: Daten zu „{heading}“',
  'Select rows in “{name}” first.': 'Wählen Sie zuerst Zeilen in „{name}“ aus.',
  'Full records of “{title}”': 'Volle Datensätze von „{title}“',
  'Column {letters} is looked up. Choose another column for the values.':
    'Spalte {letters} wird nachgeschlagen. Wählen Sie eine andere Spalte für die Werte.',
  'Column {letters} has no heading. Type one and try again.':
    'Spalte {letters} hat keine Überschrift. Tippen Sie eine ein und versuchen Sie es noch einmal.',
  'Choose at least one column to add.': 'Wählen Sie mindestens eine neue Spalte.',
  'further columns are tried where the first has no record':
    'weitere Spalten werden versucht, wo die erste keinen Datensatz hat',
  '1 cell is still loading or shows an error: it is skipped.':
    '1 Zelle lädt noch oder zeigt einen Fehler: Sie wird übersprungen.',
  '{count} cells are still loading or show an error: they are skipped.':
    '{count} Zellen laden noch oder zeigen einen Fehler: Sie werden übersprungen.',
  'This table is frozen, so it can’t be filled.':
    'Diese Tabelle ist eingefroren und kann deshalb nicht gefüllt werden.',
  'Names are decided by a person, so new rows aren’t filled. Enrich by website to keep a column filled.':
    'Über Namen entscheidet eine Person, deshalb werden neue Zeilen nicht gefüllt. Reichern Sie über Websites an, um eine Spalte automatisch zu füllen.',
  'It fills columns of your own, so new rows aren’t filled. Enrich into new columns to keep them filled.':
    'Die Tabelle füllt Ihre eigenen Spalten, deshalb werden neue Zeilen nicht gefüllt. Reichern Sie in neue Spalten an, um sie automatisch zu füllen.',
  'It tries several columns, so new rows aren’t filled. Enrich by one column to keep it filled.':
    'Die Tabelle versucht mehrere Spalten, deshalb werden neue Zeilen nicht gefüllt. Reichern Sie über eine Spalte an, um sie automatisch zu füllen.',
  'Rows were moved while this ran. Select the rows that are missing and start again: nothing is paid twice.':
    'Zeilen wurden währenddessen verschoben. Wählen Sie die fehlenden Zeilen aus und beginnen Sie noch einmal: Nichts wird doppelt bezahlt.',
  '{headings} was looked up for the replaced rows and will be cleared.':
    '{headings} wurde für die ersetzten Zeilen nachgeschlagen und wird geleert.',
  '{headings} were looked up for the replaced rows and will be cleared.':
    '{headings} wurden für die ersetzten Zeilen nachgeschlagen und werden geleert.',
  'Look them up again under Enrich: records your team already bought are free.':
    'Schlagen Sie unter „Anreichern“ noch einmal nach: Datensätze, die Ihr Team schon gekauft hat, sind kostenlos.',
  'One cell is not empty in {place}. Replace the contents?':
    'Eine Zelle in {place} ist nicht leer. Inhalt ersetzen?',
  '{cells} cells are not empty in {place}. Replace the contents?':
    '{cells} Zellen in {place} sind nicht leer. Inhalte ersetzen?',
  '{sheet}, row {row}': '{sheet}, Zeile {row}',
  'One row of the table was changed by hand. Replace the changes?':
    'Eine Zeile der Tabelle wurde von Hand geändert. Änderungen ersetzen?',
  '{rows} rows of the table were changed by hand. Replace the changes?':
    '{rows} Zeilen der Tabelle wurden von Hand geändert. Änderungen ersetzen?',
  '{names} is beside the table and stays in place, so it may no longer match its rows. Update by id keeps them together.':
    '{names} steht neben der Tabelle und bleibt, wo es ist, und passt dann vielleicht nicht mehr zu den Zeilen. „Zeilen mit gleicher ID aktualisieren“ hält sie zusammen.',
  'The sheet or the price has changed: it is now {rows} for {price}. Check and confirm again.':
    'Das Blatt oder der Preis hat sich geändert: jetzt {rows} für {price}. Prüfen und bestätigen Sie noch einmal.',
  'There is no room for {missing} more rows in “{name}”: there are cells below the table and beside it. Move the table to a separate sheet, or write to a new sheet.':
    'Für {missing} weitere Zeilen ist in „{name}“ kein Platz: Unter der Tabelle und daneben sind Zellen belegt. Verschieben Sie die Tabelle in ein eigenes Blatt, oder schreiben Sie in ein neues Blatt.',
  'This run has ended. Start it again.': 'Dieser Lauf ist beendet. Starten Sie ihn noch einmal.',
  'The previous contents are no longer available: Google keeps them for six hours at most.':
    'Der frühere Inhalt ist nicht mehr verfügbar: Google bewahrt ihn höchstens sechs Stunden auf.',
  'This run replaced too much to undo. Restore the sheet under File → Version history.':
    'Dieser Lauf hat zu viel ersetzt, um ihn rückgängig zu machen. Stellen Sie das Blatt unter Datei → Versionsverlauf wieder her.',
  'Only the person who started a run can undo it, for six hours and while it is one of the last 20.':
    'Nur wer einen Lauf gestartet hat, kann ihn rückgängig machen, sechs Stunden lang und solange er zu den letzten 20 gehört.',
  'This run was undone.': 'Dieser Lauf wurde rückgängig gemacht.',
  'A later run has changed the same table. Undo that one first.':
    'Ein späterer Lauf hat dieselbe Tabelle geändert. Machen Sie zuerst diesen rückgängig.',
  'The sheet was changed since, and undo would lose those changes. Nothing was changed. You can restore the sheet under File → Version history.':
    'Das Blatt wurde seitdem geändert, und „Rückgängig“ würde diese Änderungen verlieren. Nichts wurde geändert. Sie können das Blatt unter Datei → Versionsverlauf wiederherstellen.',
  'The sheet was changed since ({where}), and undo would lose those changes. Nothing was changed. You can restore the sheet under File → Version history.':
    'Das Blatt wurde seitdem geändert ({where}), und „Rückgängig“ würde diese Änderungen verlieren. Nichts wurde geändert. Sie können das Blatt unter Datei → Versionsverlauf wiederherstellen.',
  '“{sheet}”, row {row}': '„{sheet}“, Zeile {row}',
  'Searches with filters can’t leave rows out. Clear that choice.':
    'Suchen mit Filtern können keine Zeilen weglassen. Nehmen Sie diese Auswahl zurück.',
  '{left} rows of the table don’t fit into the search. They aren’t written twice, but their pages are paid for.':
    '{left} Zeilen der Tabelle passen nicht in die Suche. Sie werden nicht doppelt geschrieben, aber ihre Seiten werden bezahlt.',
  '“{wrong}” is not a column of this preview.': '„{wrong}“ ist keine Spalte dieser Vorschau.',
  'Rows are updated by id: add the column id, or choose replace or append.':
    'Zeilen werden über die ID aktualisiert: Fügen Sie die Spalte id hinzu, oder wählen Sie „Ersetzen“ oder „Behalten“.',
  'Rows are updated by id, and this table has no id column. Replace or append.':
    'Zeilen werden über die ID aktualisiert, und diese Tabelle hat keine Spalte id. Wählen Sie „Ersetzen“ oder „Behalten“.',
  'Spending is off for this spreadsheet. Switch it on under Activity to write a preview.':
    'Ausgaben sind für diese Datei ausgeschaltet. Schalten Sie sie unter „Aktivität“ ein, um eine Vorschau zu schreiben.',
  'Click the top-left cell for the table and try again.':
    'Klicken Sie auf die Zelle oben links für die Tabelle und versuchen Sie es noch einmal.',
  'They can’t be kept: the table has no ID column, and without IDs nobody can tell which new row is which.':
    'Sie können nicht behalten werden: Die Tabelle hat keine ID-Spalte, und ohne IDs ist nicht erkennbar, welche neue Zeile welche ist.',
  'The table has no column for {headings}: left out.':
    'Die Tabelle hat keine Spalte für {headings}: weggelassen.',
  '“{title}” may still refresh automatically, because your connection may not end that: {message} Nothing was changed.':
    '„{title}“ aktualisiert sich vielleicht weiter, denn Ihre Verbindung darf das nicht beenden: {message} Nichts wurde geändert.',
  '“{title}” may still refresh automatically, because the gateway could not be reached: {message} Nothing was changed.':
    '„{title}“ aktualisiert sich vielleicht weiter, denn das Gateway war nicht erreichbar: {message} Nichts wurde geändert.',
  'a search': 'eine Suche',
  ids: 'IDs',
  'shorthand names': 'Kurznamen',
  'profile URLs': 'Profil-URLs',
  'These rows cost {price}, and your team has {left} left. Nothing was written. Ask your admin to raise the budget.':
    'Diese Zeilen kosten {price}, und Ihr Team hat noch {left}. Nichts wurde geschrieben. Bitten Sie Ihren Admin, das Budget zu erhöhen.',
} as const;
