import java.sql.*;

/** What pgjdbc sends for a few statements, to be recorded: Client PORT. */
public class Client {
    static void run(Statement s, String sql) {
        try {
            s.execute(sql);
        } catch (SQLException e) {
            System.out.println("JDBC " + e.getSQLState());
        }
    }

    public static void main(String[] a) throws Exception {
        for (String mode : new String[] {"extended", "simple"}) {
            String url = "jdbc:postgresql://127.0.0.1:" + a[0] + "/postgres?user=scram_role&password=secret&sslmode=disable&preferQueryMode=" + mode;
            try (Connection c = DriverManager.getConnection(url); Statement s = c.createStatement()) {
                run(s, "select 1 as one, 'two'");
                try (PreparedStatement p = c.prepareStatement("select ? + 1, ?")) {
                    p.setInt(1, 41);
                    p.setString(2, "text");
                    p.executeQuery();
                }
                run(s, "select nosuch");
                run(s, "-- ask: how many customers");
            }
        }
    }
}
