// A query that the engine refuses, in the engine's words.
package golden;

final class Refused extends RuntimeException {
  private static final long serialVersionUID = 1L;

  Refused(String reason) {
    super(reason);
  }
}
