// German: the tab Activity.
export const activity = {
  'about {percent}%': 'etwa {percent} %',
  '{spent} of {credits}': '{spent} von {credits}',
  'Your team’s credits': 'Credits Ihres Teams',
  Today: 'Heute',
  'This month': 'Dieser Monat',
  Left: 'Übrig',
  Reserved: 'Reserviert',
  'Reused this month': 'Gespart im Monat',
  'Reserved for open orders and calls; the rest comes back.':
    'Reserviert für offene Aufträge und Aufrufe; der Rest kommt zurück.',
  'Reused is what data that was already bought would have cost, counted at each use.':
    '„Gespart“ ist, was schon gekaufte Daten gekostet hätten, bei jeder Nutzung gezählt.',
  'Reused is what data that was already bought would have cost, counted at each use: {share} of the price of all data used this month.':
    '„Gespart“ ist, was schon gekaufte Daten gekostet hätten, bei jeder Nutzung gezählt: {share} vom Preis aller Daten, die diesen Monat genutzt wurden.',
  'Recent errors': 'Letzte Fehler',
  'Other runs': 'Andere Läufe',
  'Other bulk orders': 'Andere Sammelaufträge',
  row: 'Zeile',
  rows: 'Zeilen',
  '{all}: {rows} found, {failed} without a result': '{all}: {rows} gefunden, {failed} ohne Ergebnis',
  '{credits} spent today (UTC): {shares}.': '{credits} heute ausgegeben (UTC): {shares}.',
  'Your team’s recent runs': 'Letzte Läufe Ihres Teams',
  'No runs yet.': 'Noch keine Läufe.',
  '{amounts} · today': '{amounts} · heute',
  'Undo {title}': '{title} rückgängig machen',
  Undo: 'Rückgängig',
  'To use your company’s instead, disconnect first.':
    'Um stattdessen die Ihres Unternehmens zu nutzen, trennen Sie zuerst.',
  'You use your company’s connection. Your admin manages it; colleagues share its budget. Paste a link below to use another.':
    'Sie nutzen die Verbindung Ihres Unternehmens. Ihr Admin verwaltet sie; alle teilen ihr Budget. Für eine andere fügen Sie unten einen Link ein.',
  'You are connected through your Google account, in this sidebar.':
    'Sie sind über Ihr Google-Konto verbunden, in dieser Seitenleiste.',
  'You use this spreadsheet’s own connection.': 'Sie nutzen die eigene Verbindung dieser Datei.',
  'You use your own connection, in the sidebar only.':
    'Sie nutzen Ihre eigene Verbindung, nur in der Seitenleiste.',
  Connection: 'Verbindung',
  Team: 'Team',
  'Spend credits in this spreadsheet': 'Credits in dieser Datei ausgeben',
  'If this is off, you only get records your team already bought.':
    'Wenn das aus ist, bekommen Sie nur Datensätze, die Ihr Team schon gekauft hat.',
  'Disconnect you only? Tables and values stay.': 'Nur Sie trennen? Tabellen und Werte bleiben.',
  'Disconnect everyone in this spreadsheet? Tables and values stay. Formulas stop working.':
    'Alle in dieser Datei trennen? Tabellen und Werte bleiben. Formeln funktionieren nicht mehr.',
  'Use another connection link': 'Anderen Verbindungslink nutzen',
  'Loading activity': 'Aktivität wird geladen',
  'Waiting for rows: {formulas}. Keep this sidebar open.':
    'Wartet auf Zeilen: {formulas}. Lassen Sie diese Seitenleiste offen.',
  Failures: 'Fehler',
  'New rows': 'Neue Zeilen',
  'Budget limits': 'Budgetgrenzen',
  '{percent}%': '{percent} %',
  'Weekly summary': 'Wochenbericht',
  Alerts: 'Benachrichtigungen',
  'Your connection can’t see or change your team’s alerts. Ask your admin for a token with the scope alerts.':
    'Ihre Verbindung darf die Benachrichtigungen Ihres Teams weder sehen noch ändern. Bitten Sie Ihren Admin um ein Token mit dem Recht alerts.',
  'Loading alerts': 'Benachrichtigungen werden geladen',
  'No alerts yet. Paste a Slack webhook to hear about failures, new rows and budget limits.':
    'Noch keine Benachrichtigungen. Fügen Sie einen Slack-Webhook ein, um von Fehlern, neuen Zeilen und Budgetgrenzen zu erfahren.',
  'No alert sent yet': 'Noch nichts gesendet',
  'Last alert sent {time}': 'Zuletzt gesendet {time}',
  'Last alert failed {time}': 'Senden fehlgeschlagen {time}',
  'Send test to {host}': 'Test an {host} senden',
  'Send test': 'Test senden',
  'Remove {host}': '{host} entfernen',
  'Stop sending alerts to {host}?': 'Keine Benachrichtigungen mehr an {host} senden?',
  'Stop alerts': 'Benachrichtigungen beenden',
  'Add a webhook': 'Webhook hinzufügen',
  'Webhook link': 'Webhook-Link',
  'Keep it secret. The sidebar shows only its host name.':
    'Halten Sie ihn geheim. Die Seitenleiste zeigt nur seinen Host.',
  'Send alerts about': 'Benachrichtigen über',
  'Add webhook': 'Webhook hinzufügen',
  'You disconnected. Your Google account is enough to connect again.':
    'Sie haben die Verbindung getrennt. Ihr Google-Konto genügt, um sie wiederherzustellen.',
  'Connect with your Google account': 'Mit Google-Konto verbinden',
  'This spreadsheet was disconnected. Your company’s connection is ready: nothing to paste.':
    'Diese Datei wurde getrennt. Die Verbindung Ihres Unternehmens ist bereit: Sie müssen nichts einfügen.',
  'Use your company’s connection': 'Verbindung des Unternehmens nutzen',
  'Connection link': 'Verbindungslink',
  'Your admin creates it in the console. Paste the whole link.':
    'Ihr Admin erstellt ihn in der Konsole. Fügen Sie den ganzen Link ein.',
  'Connect for': 'Verbinden für',
  'Everyone in this spreadsheet': 'Alle in dieser Datei',
  'Formulas work for everyone who edits it. They all spend from your team’s budget.':
    'Formeln funktionieren für alle, die sie bearbeiten. Alle geben aus dem Budget Ihres Teams aus.',
  'Only the owner of this spreadsheet can connect it for everyone.':
    'Nur der Eigentümer dieser Datei kann sie für alle verbinden.',
  'Only me': 'Nur mich',
  'This sidebar works for you. Formulas don’t work.':
    'Diese Seitenleiste funktioniert für Sie. Formeln funktionieren nicht.',
  'Connect an assistant': 'Assistenten verbinden',
  'Claude, ChatGPT and others can look up records with your connection. They spend from your budget.':
    'Claude, ChatGPT und andere können mit Ihrer Verbindung Datensätze nachschlagen. Sie geben aus Ihrem Budget aus.',
  'Address:': 'Adresse:',
  'Code for the page that it opens:': 'Code für die Seite, die sich öffnet:',
  'It works once, within ten minutes.': 'Er gilt einmal, innerhalb von zehn Minuten.',
  'Create a code': 'Code erstellen',
  'You are connected': 'Sie sind verbunden',
  'Your company has connected you through your Google account: nothing to paste.':
    'Ihr Unternehmen hat Sie über Ihr Google-Konto verbunden: Sie müssen nichts einfügen.',
  'Team {team} pays for what you buy.': 'Team {team} zahlt für das, was Sie kaufen.',
  'Team {team} pays for what you buy; you can still spend {remaining} credits.':
    'Team {team} zahlt für das, was Sie kaufen; Sie können noch {remaining} Credits ausgeben.',
  'Every price is shown before you click.': 'Sie sehen jeden Preis, bevor Sie klicken.',
  'Your admin can see your e-mail address, when you were last here and what you spend.':
    'Ihr Admin sieht Ihre E-Mail-Adresse, wann Sie zuletzt hier waren und was Sie ausgeben.',
  'This sidebar works for you in all spreadsheets.':
    'Diese Seitenleiste funktioniert für Sie in allen Dateien.',
  Start: 'Los geht’s',
  'Calls in the last minute': 'Aufrufe der letzten Minute',
  '{credits} spent, {saved} reused': '{credits} ausgegeben, {saved} gespart',
  'Others and calls in the last minute': 'Andere und Aufrufe der letzten Minute',
  'Last 30 days: {amounts}.': 'Letzte 30 Tage: {amounts}.',
  'Most on {day}: {credits}.': 'Am meisten am {day}: {credits}.',
  Spent: 'Ausgegeben',
  Reused: 'Gespart',
  'By source, connection and kind': 'Nach Quelle, Verbindung und Art',
  'By source': 'Nach Quelle',
  'By connection': 'Nach Verbindung',
  'Unnamed connection': 'Verbindung ohne Namen',
  'By kind of record': 'Nach Art der Datensätze',
  'Records your team already bought are free.': 'Datensätze, die Ihr Team schon gekauft hat, sind kostenlos.',
} as const;
