package grammar_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"askpg/internal/shop"
)

func TestShopLoad(t *testing.T) {
	if os.Getenv("LOADSHOP") == "" {
		return
	}
	url := strings.Replace(os.Getenv("ASKPG_BENCH_URL"), "DB", "shop_shop", 1)
	conn, err := pgx.Connect(context.Background(), url)
	if err != nil {
		t.Fatal(err)
	}
	if err := shop.Load(context.Background(), conn); err != nil {
		t.Fatal(err)
	}
}
