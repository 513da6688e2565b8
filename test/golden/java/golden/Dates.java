// Dates in the formats of a mapping, and date math of queries.
package golden;

import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalAdjusters;
import java.time.temporal.TemporalQueries;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Parses dates to milliseconds since 1970. */
final class Dates {
  static final String DEFAULT_FORMAT = "strict_date_optional_time||epoch_millis";
  private static final String ISO = "uuuu[-MM[-dd['T'HH[:mm[:ss[.SSS]]][XXX]]]]";

  private final String format;
  /** Defaults of missing parts per pattern: the earliest and the latest time. */
  private final List<DateTimeFormatter> early = new ArrayList<>();
  private final List<DateTimeFormatter> late = new ArrayList<>();
  private boolean takesMillis;

  Dates(String format) {
    this.format = format;
    for (String pattern : format.split("\\|\\|")) {
      if (pattern.equals("epoch_millis")) {
        takesMillis = true;
        continue;
      }
      early.add(formatter(pattern, LocalTime.MIN));
      late.add(formatter(pattern, LocalTime.MAX));
    }
  }

  private static DateTimeFormatter formatter(String pattern, LocalTime rest) {
    String letters = pattern.equals("strict_date_optional_time") ? ISO : pattern;
    return new DateTimeFormatterBuilder()
        .appendPattern(letters)
        .parseDefaulting(ChronoField.MONTH_OF_YEAR, 1)
        .parseDefaulting(ChronoField.DAY_OF_MONTH, 1)
        .parseDefaulting(ChronoField.HOUR_OF_DAY, rest.getHour())
        .parseDefaulting(ChronoField.MINUTE_OF_HOUR, rest.getMinute())
        .parseDefaulting(ChronoField.SECOND_OF_MINUTE, rest.getSecond())
        .parseDefaulting(ChronoField.NANO_OF_SECOND, rest.getNano())
        .toFormatter(Locale.ROOT);
  }

  /** Parses a date of a document. */
  long parse(String text) {
    return moment(text, false, ZoneOffset.UTC).toInstant().toEpochMilli();
  }

  /**
   * Parses a date of a query: a date followed by `||`, or `now`, then any number of `+1d`, `-2M`, `/y`. Missing parts are
   * filled with their end if `up`.
   */
  long parse(String text, boolean up, long now, ZoneId zone) {
    ZoneId place = zone == null ? ZoneOffset.UTC : zone;
    String steps = "";
    ZonedDateTime moment;
    if (text.startsWith("now")) {
      moment = Instant.ofEpochMilli(now).atZone(place);
      steps = text.substring(3);
    } else {
      int cut = text.indexOf("||");
      moment = cut < 0 ? moment(text, up, place) : moment(text.substring(0, cut), false, place);
      if (cut >= 0) steps = text.substring(cut + 2);
      moment = moment.withZoneSameInstant(place);
    }
    return walk(moment, steps, up).toInstant().toEpochMilli();
  }

  private ZonedDateTime moment(String text, boolean up, ZoneId zone) {
    for (DateTimeFormatter parser : up ? late : early) {
      try {
        TemporalAccessor parsed = parser.parse(text);
        ZoneId own = parsed.query(TemporalQueries.zone());
        return ZonedDateTime.of(LocalDate.from(parsed), LocalTime.from(parsed), own == null ? zone : own);
      } catch (DateTimeException ignored) {
        // Try the next format.
      }
    }
    if (takesMillis && text.matches("-?\\d+")) return Instant.ofEpochMilli(Long.parseLong(text)).atZone(ZoneOffset.UTC);
    throw new Refused("failed to parse date field [" + text + "] with format [" + format + "]");
  }

  private static ZonedDateTime walk(ZonedDateTime start, String steps, boolean up) {
    ZonedDateTime moment = start;
    int at = 0;
    while (at < steps.length()) {
      char sign = steps.charAt(at++);
      if ("/+-".indexOf(sign) < 0) throw new Refused("operator not supported for date math [" + steps + "]");
      int from = at;
      while (at < steps.length() && Character.isDigit(steps.charAt(at))) at++;
      if (at >= steps.length()) throw new Refused("truncated date math [" + steps + "]");
      int count = from == at ? 1 : Integer.parseInt(steps.substring(from, at));
      char unit = steps.charAt(at++);
      if (sign != '/') {
        moment = moment.plus(sign == '-' ? -count : count, unit(unit, steps));
        continue;
      }
      if (count != 1) throw new Refused("rounding `/` can only be used on single unit types [" + steps + "]");
      moment = floor(moment, unit, steps);
      if (up) moment = moment.plus(1, unit(unit, steps)).minus(1, ChronoUnit.MILLIS);
    }
    return moment;
  }

  private static ChronoUnit unit(char letter, String steps) {
    return switch (letter) {
      case 'y' -> ChronoUnit.YEARS;
      case 'M' -> ChronoUnit.MONTHS;
      case 'w' -> ChronoUnit.WEEKS;
      case 'd' -> ChronoUnit.DAYS;
      case 'h', 'H' -> ChronoUnit.HOURS;
      case 'm' -> ChronoUnit.MINUTES;
      case 's' -> ChronoUnit.SECONDS;
      default -> throw new Refused("unit [" + letter + "] not supported for date math [" + steps + "]");
    };
  }

  private static ZonedDateTime floor(ZonedDateTime moment, char letter, String steps) {
    return switch (letter) {
      case 'y' -> moment.withDayOfYear(1).truncatedTo(ChronoUnit.DAYS);
      case 'M' -> moment.withDayOfMonth(1).truncatedTo(ChronoUnit.DAYS);
      case 'w' -> moment.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY)).truncatedTo(ChronoUnit.DAYS);
      default -> moment.truncatedTo(unit(letter, steps));
    };
  }
}
